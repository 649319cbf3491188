import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "@/server/platform/crypto";
import { temporaryFolder } from "@/server/testing/tool-context";
import { localBlobs } from "./local-blobs";

function store() {
  const folder = path.join(temporaryFolder(), "blobs");
  const filesIn = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return { folder, blobs: localBlobs(folder), files: filesIn };
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

test("a blob is read back, byte for byte", async () => {
  const { blobs } = store();
  for (const bytes of [Buffer.from("hello"), Buffer.alloc(0), Buffer.alloc(3_000_000, "0123456789")]) {
    const { sha256: name } = await blobs.put(bytes);
    expect(name).toBe(sha256(bytes));
    const read = await blobs.read(name);
    expect(read.bytes).toBe(bytes.byteLength);
    expect((await bytesOf(read.stream)).equals(bytes)).toBe(true);
  }
});

test("only we may read it, in folders that do not grow without bound", async () => {
  const { blobs, folder } = store();
  const { sha256: name } = await blobs.put(Buffer.from("secret"));
  const place = path.join(folder, name.slice(0, 2), name.slice(2, 4), name);
  expect(readFileSync(place, "utf8")).toBe("secret");
  expect(statSync(place).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.dirname(place)).mode & 0o777).toBe(0o700);
});

test("the same bytes are kept once, even when many bring them at the same time", async () => {
  const { blobs, files } = store();
  const bytes = Buffer.alloc(500_000, "x");
  const names = await Promise.all(Array.from({ length: 20 }, () => blobs.put(bytes)));
  expect(new Set(names.map(({ sha256 }) => sha256)).size).toBe(1);
  expect(files()).toHaveLength(1);
  expect((await bytesOf((await blobs.read(sha256(bytes))).stream)).equals(bytes)).toBe(true);
});

test("a blob that lost its end is written again when its bytes come back", async () => {
  const { blobs, folder } = store();
  const { sha256: name } = await blobs.put(Buffer.from("whole"));
  truncateSync(path.join(folder, name.slice(0, 2), name.slice(2, 4), name), 2);
  await blobs.put(Buffer.from("whole"));
  expect((await bytesOf((await blobs.read(name)).stream)).toString()).toBe("whole");
});

test.each(["../../../etc/passwd", "", "A".repeat(64), `${"a".repeat(63)}/`, `${"a".repeat(64)}/../x`])(
  "%j names no blob, and no file either",
  async (name) => {
    await expect(store().blobs.read(name)).rejects.toThrow("SHA-256");
  },
);

test("a blob that nobody put is an error that says so", async () => {
  await expect(store().blobs.read("a".repeat(64))).rejects.toMatchObject({ code: "not_found" });
});

test("whether the folder can be used is known before it is needed", async () => {
  const { blobs, folder } = store();
  expect(await blobs.check()).toBe("ok");
  writeFileSync(path.join(folder, "file"), "");
  expect(await localBlobs(path.join(folder, "file", "blobs")).check()).toMatch(/^The blob folder .+ cannot be written to: ENOTDIR/);
});

test("a reader that leaves early holds nothing open", async () => {
  const { blobs } = store();
  const { sha256: name } = await blobs.put(Buffer.alloc(3_000_000));
  const openFiles = () => readdirSync("/proc/self/fd").length;
  const before = openFiles();
  for (let round = 0; round < 20; round += 1) {
    const reader = (await blobs.read(name)).stream.getReader();
    await reader.read();
    await reader.cancel();
  }
  await expect.poll(openFiles).toBeLessThanOrEqual(before + 1);
});

test("a removed blob is gone, and removing it again is no error", async () => {
  const { blobs, files } = store();
  const { sha256: name } = await blobs.put(Buffer.from("old"));
  await blobs.remove(name);
  await blobs.remove(name);
  expect(files()).toEqual([]);
  await expect(blobs.read(name)).rejects.toMatchObject({ code: "not_found" });
  await expect(blobs.remove("../../etc/passwd")).rejects.toThrow("SHA-256");
});
