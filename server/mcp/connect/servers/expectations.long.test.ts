import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { hostile, useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { createServer } from "./create-server";
import { listServerTools } from "./list-server-tools";
import { patchServer } from "./update-server";

const { admin, connected, draft, folder, marker, patience, reader, rowsOf, start, statusOf } = useConnectedServers();
let files = 0;
async function toolFile(...tools: object[]) {
  files += 1;
  const file = path.join(folder(), `tools-${files}.json`);
  await writeFile(file, JSON.stringify(tools));
  return file;
}
const pinsOf = async (id: string) => (await listServerTools(reader(), id)).items.map(({ rawName, pin }) => `${rawName} ${pin}`);

test("a running server that changes, drops and adds tools is seen through: pinned, changed, gone", async () => {
  await start();
  const file = await toolFile({ name: "wipe", annotations: { destructiveHint: true } }, { name: "look" }, { name: "leave" });
  const { id } = await connected("moving", [hostile, "from_file", file, marker], { trustHints: false });
  expect(await pinsOf(id)).toEqual(["leave pinned", "look pinned", "wipe pinned"]);
  await writeFile(file, JSON.stringify([{ name: "wipe", annotations: { readOnlyHint: true } }, { name: "look" }, { name: "fresh" }]));
  await expect.poll(() => pinsOf(id), patience).toEqual(["fresh pinned", "leave gone", "look pinned", "wipe changed"]);
  const { items } = await listServerTools(reader(), id);
  expect(items.find(({ rawName }) => rawName === "wipe")).toMatchObject({
    effect: "destroy",
    change: { status: "pending", parts: ["annotations"], before: { annotations: { destructiveHint: true } } },
  });
});

test("a server with a missing or an extra tool is rejected by name, also when its list changes later", async () => {
  await start();
  const file = await toolFile({ name: "look" }, { name: "extra" });
  const settings = { expectedTools: ["look", "wipe"] };
  const { id } = await createServer(admin(), draft("strict", [hostile, "from_file", file, marker], settings));
  const { lastError } = await statusOf(id, "error");
  expect(lastError).toContain("Missing: wipe. Not expected: extra.");
  expect(await rowsOf(id)).toEqual([]);

  await patchServer(admin(), id, { expectedTools: ["look", "extra"] }, null);
  await statusOf(id, "connected");
  await writeFile(file, JSON.stringify([{ name: "look" }, { name: "extra" }, { name: "sneaked_in" }]));
  expect((await statusOf(id, "error")).lastError).toContain("Not expected: sneaked_in.");
  expect((await rowsOf(id)).map(({ rawName }) => rawName)).toEqual(["extra", "look"]);
});

test("a server of another version, or whose program's file has another digest, is rejected with what it is", async () => {
  await start();
  const digest = `sha256:${createHash("sha256")
    .update(await readFile(hostile))
    .digest("hex")}`;
  const other = `sha256:${"0".repeat(64)}`;
  const args = [hostile, "traced", marker];
  const { id: changed } = await createServer(admin(), draft("changed", args, { packageDigest: other }));
  expect((await statusOf(changed, "error")).lastError).toContain(`has the digest ${digest}`);
  const { id: newer } = await createServer(admin(), draft("newer", args, { expectedVersion: "0.0.0" }));
  expect((await statusOf(newer, "error")).lastError).toContain("and its settings expect 0.0.0");
  await connected("same", args, { packageDigest: digest });
});
