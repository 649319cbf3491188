import { writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { ContactDraft } from "@/contracts/messengers/contacts";
import { approvals, guardConfig } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { contacts } from "@/server/contacts/contacts";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { approverActor, makeStageFolder, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { previewApproval } from "./preview-approval";

const stage = useStage();
let folder = "";

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await addBuiltinTools(workspaceId);
  await db().update(guardConfig).set({ defaultPolicy: "require_approval" }).where(eq(guardConfig.workspaceId, workspaceId));
  folder = await makeStageFolder(stage);
});

const reader = () => authorize(stage.built.viewer, "approvals:read");

async function asked(name: string, args: Record<string, string | boolean>) {
  const turn = await submitCalls(stage, [[name, args]]);
  return (await onlyApproval(turn.id)).id;
}
const previewOf = async (name: string, args: Record<string, string | boolean>) => previewApproval(reader(), await asked(name, args));
const put = (name: string, text: string | Uint8Array) => writeFileSync(path.join(folder, name), text);

test("a write is shown beside the file as it is now", async () => {
  expect(await previewOf("write_file", { path: "a.txt", content: "new\n" })).toEqual({
    file: { path: "a.txt", before: null, after: "new\n" },
    reason: null,
  });
  put("b.txt", "old\n");
  expect((await previewOf("write_file", { path: "b.txt", content: "new\n" })).file).toEqual({
    path: "b.txt",
    before: "old\n",
    after: "new\n",
  });
  const appended = await previewOf("write_file", { path: "b.txt", content: "more\n", mode: "append" });
  expect(appended.file?.after).toBe("old\nmore\n");
});

test("an edit is shown as the whole file, and one that would fail says so", async () => {
  put("c.txt", "one\ntwo\nthree\n");
  const edited = await previewOf("edit_file", { path: "c.txt", oldText: "two", newText: "2" });
  expect(edited.file).toEqual({ path: "c.txt", before: "one\ntwo\nthree\n", after: "one\n2\nthree\n" });
  const absent = await previewOf("edit_file", { path: "c.txt", oldText: "four", newText: "4" });
  expect(absent).toEqual({ file: null, reason: expect.stringContaining("does not occur") });
});

test("secrets of the file are masked, and a file that holds them by name is not shown", async () => {
  const key = `sk-ant-api03-${"a1B2".repeat(24)}`;
  put("d.txt", `key = ${key}\n`);
  const shown = await previewOf("write_file", { path: "d.txt", content: "x\n", mode: "append" });
  expect(JSON.stringify(shown)).not.toContain(key);
  expect(shown.file?.after).toContain("x\n");
  put(".env", "PASSWORD=hunter2\n");
  expect(await previewOf("write_file", { path: ".env", content: "PASSWORD=other\n" })).toEqual({
    file: null,
    reason: expect.stringContaining("may hold secrets"),
  });
});

test("a file that is no text, or leaves the folder, is not shown", async () => {
  put("e.bin", new Uint8Array([1, 0, 2]));
  expect((await previewOf("write_file", { path: "e.bin", content: "x" })).reason).toBe("The file is not text.");
  const id = await asked("write_file", { path: "f.txt", content: "x" });
  await db()
    .update(approvals)
    .set({ arguments: { path: "../../f.txt", content: "x" } })
    .where(eq(approvals.id, id));
  expect((await previewApproval(reader(), id)).file).toBeNull();
});

test("calls that change no file, decided ones and those of another workspace have no preview", async () => {
  expect(await previewOf("shell_execute", { command: "ls" })).toEqual({ file: null, reason: null });
  const id = await asked("write_file", { path: "g.txt", content: "x" });
  const stranger = authorize((await buildWorkspace()).viewer, "approvals:read");
  await expect(previewApproval(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  await decideApproval(approverActor(stage), id, { decision: "reject", comment: "" });
  expect(await previewApproval(reader(), id)).toEqual({ file: null, reason: null });
});

test("a change of the contacts is shown with what stands there now, although no such file lies in the folder", async () => {
  const actor = authorize(stage.built.admin, "contacts:write");
  await contacts.create({ actor, body: ContactDraft.parse({ name: "Mei", notes: "Old." }) });
  const { file } = await previewOf("edit_file", { path: "contacts/ACTIVE.md", oldText: "notes: Old.", newText: "notes: New." });
  expect(file?.before).toContain("notes: Old.");
  expect(file?.after).toContain("notes: New.");
});
