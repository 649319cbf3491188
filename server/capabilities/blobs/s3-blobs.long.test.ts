import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { sha256 } from "@/server/platform/crypto";
import { toErrorMessage } from "@/server/platform/errors";
import { freePort } from "@/server/testing/mcp/everything-server";
import { s3Bucket, s3SettingsAt, startS3Server, stopS3Server } from "@/server/testing/services/s3-server";
import { s3Blobs } from "./s3-blobs";
import { makeBucketUrl, type S3Patience } from "./s3-client";

vi.setConfig({ testTimeout: 60_000 });
const hurried: S3Patience = { answerMs: 400, pauseMs: 10, pieceMs: 300 };
const mebibyte = 1_048_576;
let folder: string;
let port: number;
let server: ChildProcess;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-s3-"));
  port = await freePort();
  server = await startS3Server(folder, port);
}, 60_000);
afterAll(async () => {
  await stopS3Server(server);
  await rm(folder, { recursive: true, force: true });
});

const store = () => s3Blobs(s3SettingsAt(port));
const objects = () =>
  readdirSync(path.join(folder, s3Bucket), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith("_object"))
    .map((entry) => path.join(entry.parentPath, entry.name));

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

/** Starts a store that answers as the test says and counts its requests. */
async function storeThat(answer: RequestListener) {
  let requests = 0;
  const counting = createServer((request, response) => {
    requests += 1;
    request.resume();
    request.on("end", () => answer(request, response));
  });
  await new Promise<void>((resolve) => counting.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    counting.closeAllConnections();
    counting.close();
  });
  return { blobs: s3Blobs(s3SettingsAt((counting.address() as AddressInfo).port), hurried), requests: () => requests };
}

test("a blob is read back, byte for byte, and the store can be used", async () => {
  for (const bytes of [Buffer.from("hello"), Buffer.alloc(0), Buffer.alloc(3_000_000, "0123456789")]) {
    const { sha256: name } = await store().put(bytes);
    expect(name).toBe(sha256(bytes));
    const read = await store().read(name);
    expect(read.bytes).toBe(bytes.byteLength);
    expect((await bytesOf(read.stream)).equals(bytes)).toBe(true);
  }
  expect(await store().check()).toBe("ok");
});

test("the same bytes are kept once, even when many bring them at the same time", async () => {
  const before = objects().length;
  const bytes = Buffer.alloc(500_000, "x");
  const stored = await Promise.all(Array.from({ length: 20 }, () => store().put(bytes)));
  expect(new Set(stored.map(({ sha256 }) => sha256)).size).toBe(1);
  expect(objects().length).toBe(before + 1);
  expect((await bytesOf((await store().read(sha256(bytes))).stream)).equals(bytes)).toBe(true);
});

test("a hundred megabytes are read piece by piece, and not held", async () => {
  const bytes = Buffer.alloc(100 * mebibyte);
  for (let start = 0; start < bytes.length; start += mebibyte) bytes.writeUInt32BE(start, start);
  const { sha256: name } = await store().put(bytes);
  const { stream, bytes: length } = await store().read(name);
  expect(length).toBe(100 * mebibyte);
  const digest = createHash("sha256");
  let largest = 0;
  let inMemory = 0;
  const before = process.memoryUsage();
  for await (const piece of stream) {
    digest.update(piece);
    largest = Math.max(largest, piece.byteLength);
    const now = process.memoryUsage();
    inMemory = Math.max(inMemory, now.arrayBuffers - before.arrayBuffers);
  }
  expect(digest.digest("hex")).toBe(name);
  expect(largest).toBeLessThan(2 * mebibyte);
  expect(inMemory).toBeLessThan(80 * mebibyte);
});

test("a reader that leaves early ends the connection", async () => {
  const { sha256: name } = await store().put(Buffer.alloc(20 * mebibyte, "y"));
  const sockets = () => readdirSync("/proc/self/fd").length;
  const before = sockets();
  for (let round = 0; round < 10; round += 1) {
    const reader = (await store().read(name)).stream.getReader();
    await reader.read();
    await reader.cancel();
  }
  await expect.poll(sockets).toBeLessThanOrEqual(before + 2);
});

test("bytes that changed in the store are never passed off as what was put", async () => {
  const { sha256: name } = await store().put(Buffer.from("what was put"));
  const [file] = objects().filter((object) => object.includes(name));
  if (!file) throw new Error("The object's file was not found");
  writeFileSync(file, readFileSync(file, "utf8").replace("was", "is "));
  await expect(bytesOf((await store().read(name)).stream)).rejects.toThrow("holds other bytes");
  await store().put(Buffer.from("what was put"));
  expect((await bytesOf((await store().read(name)).stream)).toString()).toBe("what was put");
});

test("a blob that nobody put is an error that says so", async () => {
  await expect(store().read("a".repeat(64))).rejects.toMatchObject({ code: "not_found" });
});

test("a name that is no SHA-256 names no object", async () => {
  await expect(store().read("../other/key")).rejects.toThrow("SHA-256");
});

test.each([
  ["a wrong secret", { secretAccessKey: "wrong-secret" }, "refuses our key (SignatureDoesNotMatch)"],
  ["an unknown key", { accessKeyId: "NOBODY" }, "refuses our key (InvalidAccessKeyId)"],
  ["a bucket that does not exist", { bucket: "no-such-bucket" }, "HANDRAIL_BLOBS_S3_BUCKET"],
])("%s is said in a sentence without the secret, and nothing counts as stored", async (_title, settings, sentence) => {
  const blobs = s3Blobs(s3SettingsAt(port, settings), hurried);
  for (const use of [() => blobs.put(Buffer.from("x")), () => blobs.read("b".repeat(64))]) {
    const failure = await use().then(() => null, toErrorMessage);
    expect(failure).toContain(sentence);
    expect(failure).not.toContain("wrong-secret");
  }
  expect(await blobs.check()).toContain(sentence);
});

test("a store that is away is an error within a bound, and works again when it is back", async () => {
  const blobs = s3Blobs(s3SettingsAt(port), hurried);
  const { sha256: name } = await blobs.put(Buffer.from("kept"));
  await stopS3Server(server);
  await expect(blobs.put(Buffer.from("lost"))).rejects.toMatchObject({ code: "unavailable" });
  await expect(blobs.read(name)).rejects.toThrow("The blob store does not answer: ECONNREFUSED.");
  expect(await blobs.check()).toContain("ECONNREFUSED");
  server = await startS3Server(folder, port);
  expect((await bytesOf((await s3Blobs(s3SettingsAt(port)).read(name)).stream)).toString()).toBe("kept");
});

test("a busy store is asked three times, and a refusal once", async () => {
  const busy = await storeThat((_request, response) => void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>"));
  await expect(busy.blobs.put(Buffer.from("x"))).rejects.toThrow("it answered with 503 (SlowDown)");
  expect(busy.requests()).toBe(3);
  const strict = await storeThat((_request, response) => void response.writeHead(403).end());
  await expect(strict.blobs.put(Buffer.from("x"))).rejects.toThrow("refuses our key (403)");
  expect(strict.requests()).toBe(1);
});

test("a fault that passes is not noticed", async () => {
  let isFirst = true;
  const { blobs, requests } = await storeThat((request, response) => {
    if (isFirst) request.socket.destroy();
    else response.writeHead(200).end();
    isFirst = false;
  });
  await blobs.put(Buffer.from("x"));
  expect(requests()).toBe(2);
});

test("a store that never answers, or stops in the middle, is given up", async () => {
  const silent = await storeThat(() => {});
  await expect(silent.blobs.read("a".repeat(64))).rejects.toMatchObject({ code: "unavailable" });
  const halting = await storeThat((_request, response) => void response.writeHead(200, { "content-length": "10" }).write("half"));
  await expect(bytesOf((await halting.blobs.read("a".repeat(64))).stream)).rejects.toThrow("stopped in the middle");
});

test("a redirect is not followed", async () => {
  const elsewhere = await storeThat((_request, response) => void response.writeHead(200).end());
  const { blobs } = await storeThat((_request, response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end());
  await expect(blobs.put(Buffer.from("x"))).rejects.toThrow("sends us elsewhere");
  expect(elsewhere.requests()).toBe(0);
});

test.each([
  ["http://minio:9000", true, "http://minio:9000/artifacts"],
  ["https://store.example.com/s3/", true, "https://store.example.com/s3/artifacts"],
  ["https://s3.eu-central-1.amazonaws.com", false, "https://artifacts.s3.eu-central-1.amazonaws.com"],
])("the bucket at %s (in its path: %s) is %s", (endpoint, forcePathStyle, url) => {
  expect(makeBucketUrl({ endpoint, bucket: "artifacts", forcePathStyle })).toBe(url);
});

test("a removed blob is gone, and removing it again is no error", async () => {
  const { sha256: name } = await store().put(Buffer.from("an old content"));
  await store().remove(name);
  await store().remove(name);
  await expect(store().read(name)).rejects.toMatchObject({ code: "not_found" });
});
