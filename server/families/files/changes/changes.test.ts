import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { auditEvents, conversations, fileChanges } from "@/db/schema";
import { requirePermission, toActorRef } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { readKeptContent } from "@/server/conversations/file-changes/kept-content";
import { makeChangeRecorder, maxStoredBytes } from "@/server/conversations/file-changes/record-changes";
import { db } from "@/server/platform/database/database";
import { buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import { makeStageFolder, neverAborted, runtimeActor, submitCalls, useStage } from "@/server/testing/stage";
import { getChange, restoreChange } from "./change-endpoints";
import { listChanges } from "./find-changes";
import { removeOldChanges } from "./remove-old-changes";

const stage = useStage();
let folder = "";

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await addBuiltinTools(workspaceId);
  await allowByDefault(workspaceId);
  folder = await makeStageFolder(stage);
  for (const toolName of ["checkpoints", "patch"]) await run("enable_tool", { toolName });
});

const run = async (name: string, args: JsonObject) => (await submitCalls(stage, [[name, args]])).calls[0];
const at = (name: string) => path.join(folder, name);
const text = (name: string) => readFileSync(at(name), "utf8");
const reader = () => requirePermission(stage.built.agentKey, "turns:read");
const changes = async () => (await listChanges(reader(), stage.conversationId, {})).items;
const newest = async () => {
  const [change] = await changes();
  if (!change) throw new Error("no change was recorded");
  return change;
};
const restore = (changeId: string, force = false) =>
  restoreChange(runtimeActor(stage), { conversationId: stage.conversationId, changeId, force, signal: neverAborted });
const write = (name: string, content: string, more: JsonObject = {}) => run("write_file", { path: name, content, ...more });

test("creating, replacing, appending and deleting are recorded with their call, and each can be undone", async () => {
  await write("a.txt", "one\n");
  await write("a.txt", "two\n");
  await write("a.txt", "three\n", { mode: "append" });
  await run("patch", { patch: "*** Delete File: a.txt" });
  const found = await changes();
  expect(found.map(({ kind, tool, bytesBefore, bytesAfter }) => [kind, tool, bytesBefore, bytesAfter])).toEqual([
    ["deleted", "patch", 10, null],
    ["changed", "write_file", 4, 10],
    ["changed", "write_file", 4, 4],
    ["created", "write_file", null, 4],
  ]);
  expect(found[0]).toMatchObject({ path: "a.txt", notRestorable: null, turnId: expect.any(String), by: { type: "api_key" } });
  const states: string[] = [];
  for (const { id } of found) {
    await restore(id, true);
    states.push(existsSync(at("a.txt")) ? text("a.txt") : "(absent)");
  }
  expect(states).toEqual(["two\nthree\n", "two\n", "one\n", "(absent)"]);
});

test("a model undoes its edit with the names that it knows, and can undo the restore", async () => {
  await write("a.txt", "one\n");
  await run("edit_file", { path: "a.txt", oldText: "one", newText: "two" });
  expect(await run("undo_edit", { path: "a.txt" })).toMatchObject({
    status: "succeeded",
    content: expect.stringContaining("Restored a.txt as it was before this change (4 bytes)."),
  });
  expect(text("a.txt")).toBe("one\n");
  expect(await newest()).toMatchObject({ tool: "checkpoints", restores: expect.any(String) });
  const restored = (await newest()).id;
  await run("checkpoints", { action: "restore", change: restored });
  expect(text("a.txt")).toBe("two\n");
  const list = await run("checkpoints", { action: "list" });
  expect(list?.content).toContain("by edit_file (bytes: 4 → 4) [undone]");
  expect(list?.content).toContain("Of commands, only changes of files that the conversation had not made are recorded.");
});

test("a creation that is undone is a deletion to the guard, and deletes the file", async () => {
  await write("a.txt", "one\n");
  const call = await run("rollback", {});
  expect(call).toMatchObject({ status: "succeeded", arguments: { path: "a.txt", deletesFile: true } });
  expect(existsSync(at("a.txt"))).toBe(false);
  expect(await run("rollback", {})).toMatchObject({ isError: true, content: expect.stringContaining("is left to restore") });
});

test("a diff shows the change, and what a restore would lose when the file was changed since", async () => {
  await write("a.txt", "one\ntwo\n");
  await run("edit_file", { path: "a.txt", oldText: "two", newText: "three" });
  expect((await run("checkpoints", { action: "diff", path: "a.txt" }))?.content).toContain(" one\n-two\n+three");
  writeFileSync(at("a.txt"), "one\nthree\nby a command\n");
  const { id } = await newest();
  expect((await run("checkpoints", { action: "diff", change: id }))?.content).toContain("-by a command");
  await expect(restore(id)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("restore with force: true") });
  expect(await getChange(reader(), stage.conversationId, id)).toMatchObject({
    ...{ state: "changed_since", before: "one\ntwo\n", after: "one\nthree\n", now: "one\nthree\nby a command\n", notShown: null },
  });
  const { message, undo } = await restore(id, true);
  expect(message).toContain("Restored a.txt");
  expect(text("a.txt")).toBe("one\ntwo\n");
  await restore(undo ?? "");
  expect(text("a.txt")).toBe("one\nthree\nby a command\n");
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, "file.restored"), eq(auditEvents.conversationId, stage.conversationId)));
  expect(event).toMatchObject({ data: { path: "a.txt", force: true } });
});

test("a restored file has its old permissions, and a file that is as it was stays as it is", async () => {
  writeFileSync(at("run.sh"), "echo 1\n");
  chmodSync(at("run.sh"), 0o750);
  await run("read_file", { path: "run.sh" });
  await run("patch", { patch: "*** Delete File: run.sh" });
  const { id } = await newest();
  expect(await restore(id)).toMatchObject({ undo: expect.any(String) });
  expect(statSync(at("run.sh")).mode & 0o777).toBe(0o750);
  expect(await restore(id)).toEqual({ message: "run.sh is already as it was before this change.", undo: null });
});

test("kept contents are sealed in the store", async () => {
  await write("a.txt", "a text that is easy to find\n");
  const [row] = await db().select().from(fileChanges).where(eq(fileChanges.conversationId, stage.conversationId));
  const stored = await new Response((await blobs().read(row?.afterBlob ?? "")).stream).bytes();
  expect(Buffer.from(stored).includes("easy to find")).toBe(false);
  expect((await readKeptContent(row?.afterBlob ?? "")).toString()).toBe("a text that is easy to find\n");
});

test("a failed change leaves no record, and writing the same bytes is no change", async () => {
  await write("a.txt", "one\n");
  await write("a.txt", "one\n");
  await run("patch", { patch: "*** Update File: a.txt\n-nothing\n+such" });
  mkdirSync(at("folder"));
  await write("folder", "x");
  expect(await changes()).toHaveLength(1);
});

test("contents of sensitive files are neither kept nor shown", async () => {
  const record = makeChangeRecorder({
    ...{
      workspaceId: stage.built.workspace.id,
      conversationId: stage.conversationId,
      callId: null,
      actor: toActorRef(runtimeActor(stage)),
    },
    ...{ folder, isSensitive: (relativePath: string) => relativePath === ".env" },
  });
  const files = workspaceFiles(folder, { record });
  await files.writeBytes(".env", Buffer.from("KEY=1\n"));
  await files.writeBytes(".env", Buffer.from("KEY=2\n"));
  const change = await newest();
  expect(change).toMatchObject({ path: ".env", notRestorable: "The file is sensitive, so its old content was not kept." });
  expect(await getChange(reader(), stage.conversationId, change.id)).toMatchObject({ before: null, after: null, now: null });
  await expect(restore(change.id)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("sensitive") });
  const [row] = await db().select().from(fileChanges).where(eq(fileChanges.id, change.id));
  expect(row).toMatchObject({ beforeHash: null, afterHash: null, beforeBlob: null });
});

test("a restore stays in the folder when a link took the file's place", async () => {
  await write("a.txt", "one\n");
  await write("a.txt", "two\n");
  const { id } = await newest();
  const outside = path.join(folder, "..", "outside.txt");
  writeFileSync(outside, "theirs");
  writeFileSync(at("b.txt"), "");
  symlinkSync(outside, at("link"));
  await db().update(fileChanges).set({ path: "link" }).where(eq(fileChanges.id, id));
  await expect(restore(id, true)).rejects.toMatchObject({ code: "forbidden" });
  expect(readFileSync(outside, "utf8")).toBe("theirs");
});

test("changes of another workspace's conversation do not exist", async () => {
  await write("a.txt", "one\n");
  const { id } = await newest();
  const stranger = requirePermission((await buildWorkspace()).agentKey, "turns:write");
  const asked = { conversationId: stage.conversationId, changeId: id, force: true, signal: neverAborted };
  await expect(restoreChange(stranger, asked)).rejects.toMatchObject({ code: "not_found" });
  expect(text("a.txt")).toBe("one\n");
});

test("the oldest contents make room for new ones, and old changes are swept with their contents", async () => {
  await write("a.txt", "one\n");
  await write("a.txt", "two\n");
  const [second, first] = await db().select().from(fileChanges).orderBy(sql`${fileChanges.id} desc`);
  await db()
    .update(fileChanges)
    .set({ storedBytes: maxStoredBytes })
    .where(eq(fileChanges.id, second?.id ?? ""));
  await write("a.txt", "three\n");
  expect((await changes()).map(({ notRestorable }) => notRestorable)).toEqual([null, expect.stringContaining("needed the room"), null]);
  await expect(blobs().read(second?.beforeBlob ?? "")).rejects.toMatchObject({ code: "not_found" });
  expect(first?.beforeBlob).toBeNull();

  const [kept] = await db().select().from(fileChanges).orderBy(sql`${fileChanges.id} desc`);
  await db()
    .update(fileChanges)
    .set({ createdAt: sql`now() - interval '31 days'` })
    .where(eq(fileChanges.id, kept?.id ?? ""));
  await removeOldChanges();
  expect(await changes()).toHaveLength(2);
  await expect(blobs().read(kept?.beforeBlob ?? "")).rejects.toMatchObject({ code: "not_found" });
  await db().delete(conversations).where(eq(conversations.id, stage.conversationId));
  await removeOldChanges();
  expect(await db().select().from(fileChanges).where(eq(fileChanges.workspaceId, stage.built.workspace.id))).toEqual([]);
});
