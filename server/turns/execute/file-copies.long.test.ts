import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { toActorRef } from "@/server/auth/actor";
import { endConversationNetworks } from "@/server/capabilities/sandbox/network/conversation-network";
import { makeChangeRecorder } from "@/server/conversations/file-changes/record-changes";
import { CopiesStore } from "@/server/conversations/file-copies/copies-store";
import { makeCopyKeeper } from "@/server/conversations/file-copies/keep-file-copies";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { runtimeActor, submitCalls, useStage } from "@/server/testing/stage";
import { removeConversation } from "../remove-conversation";

const stage = useStage();
let folder = "";
beforeEach(async () => {
  await addBuiltinTools(stage.built.workspace.id);
  folder = workspaceFolder({ id: stage.conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
  mkdirSync(folder, { recursive: true });
  await call("enable_tool", { toolName: "checkpoints" });
});
afterAll(() => endConversationNetworks());

const at = (name: string) => path.join(folder, name);
/** Puts a file into the folder as a person does by hand. */
const put = (name: string, text: string) => {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
};
const call = (name: string, args: JsonObject) => submitCalls(stage, [[name, args]], { wait: 20 });
const shell = (command: string) => call("shell_execute", { command });
const content = (turn: Awaited<ReturnType<typeof call>>) => turn.calls[0]?.content ?? "";
const restore = async (file: string) => content(await call("checkpoints", { action: "restore", path: file }));
const inAnyCase = "until [ later -nt made ]; do touch later; done";

describe("what a person put into the folder", () => {
  test.each<[command: string, lost: string]>([
    ["rm thesis.docx", "thesis.docx"],
    ["rm *.csv", "a.csv"],
    ["rm -rf keep", "keep/deep/b.csv"],
    ["find . -name '*.csv' -delete", "keep/deep/b.csv"],
    ["mv keep /tmp/", "keep/deep/b.csv"],
    ["> thesis.docx", "thesis.docx"],
    ["cp ok.txt thesis.docx", "thesis.docx"],
    ["sed -i s/written/lost/ thesis.docx", "thesis.docx"],
    ["f=thesis; rm $f.docx", "thesis.docx"],
    ["printf 'rm thesis.docx' > x.sh; sh x.sh", "thesis.docx"],
    [`python3 -c 'import os; os.remove("thesis.docx")'`, "thesis.docx"],
    ["mv ok.txt thesis.docx", "thesis.docx"],
  ])("comes back after %s", async (command, lost) => {
    await shell("true; touch made");
    for (const name of ["thesis.docx", "a.csv", "keep/deep/b.csv", "ok.txt"]) put(name, `written by hand: ${name}`);

    const turn = await shell(command);
    expect(turn.calls[0]?.status).toBe("succeeded");
    expect(existsSync(at(lost)) ? readFileSync(at(lost), "utf8") : null).not.toBe(`written by hand: ${lost}`);
    expect(content(turn)).toContain("Copies are kept for 30 days. checkpoints shows and restores them.");

    expect(await restore(lost)).toContain(`Restored ${lost}`);
    expect(readFileSync(at(lost), "utf8")).toBe(`written by hand: ${lost}`);
  });

  test("comes back when execute_code destroyed it", async () => {
    put("thesis.docx", "by hand");
    await call("enable_tool", { toolName: "execute_code" });
    await call("execute_code", { language: "shell", code: "rm thesis.docx", mode: "project" });
    expect(await restore("thesis.docx")).toContain("Restored");
  });

  test("comes back when it came as a folder that was moved in, whose files are older than the last command", async () => {
    const elsewhere = `${folder}-elsewhere`;
    mkdirSync(path.join(elsewhere, "in"), { recursive: true });
    writeFileSync(path.join(elsewhere, "in", "old.txt"), "old");
    await shell(`touch made; ${inAnyCase}`);
    execFileSync("mv", [elsewhere, at("moved")]);
    await shell("sh -c 'rm moved/in/old.txt'");
    expect(await restore("moved/in/old.txt")).toContain("Restored");
  });

  test("asks where no copy can be kept, and says so", async () => {
    put("big.iso", "");
    truncateSync(at("big.iso"), 21 * 1_048_576);
    put("repo/.git/HEAD", "ref: refs/heads/main");
    for (const command of ["rm big.iso", "rm *.iso", "> big.iso", "rm -rf repo", "rm -rf repo/.git", "rm -rf repo/.git/refs"]) {
      const turn = await shell(command);
      expect.soft(turn.status, command).toBe("suspended");
    }
  });

  test("is named in the result when code destroyed a file too large for a copy", async () => {
    put("big.iso", "");
    truncateSync(at("big.iso"), 21 * 1_048_576);
    expect(content(await shell("f=big; rm $f.iso"))).toContain("changed or deleted big.iso, of which no copy was kept");
  });
});

describe("what the conversation made", () => {
  test("gets no copy, and its deletion is not told", async () => {
    await shell(`head -c 22000000 /dev/zero > made; ${inAnyCase}`);
    const turn = await shell("rm made");
    expect(content(turn)).toContain("exit code 0");
    expect(content(turn)).not.toContain("Copies");
    expect(content(await call("checkpoints", { action: "list" }))).toContain("No file tool has changed a file");
  });

  test("counts as a person's again once a person wrote it anew", async () => {
    await shell(`echo mine > made; ${inAnyCase}`);
    rmSync(at("made"));
    put("made", "by hand");
    await shell("rm made");
    expect(await restore("made")).toContain("Restored");
    expect(readFileSync(at("made"), "utf8")).toBe("by hand");
  });
});

test("a command that only reads takes no copies", async () => {
  put("a.txt", "a");
  await shell("cat a.txt");
  expect((await new CopiesStore(stage.conversationId, folder).readManifest()).files).toEqual([]);
});

test("a change by a command that a crash cut off is recorded by the next command", async () => {
  put("thesis.docx", "by hand");
  const callId = "00000000-0000-7000-8000-000000000001";
  const actor = toActorRef(runtimeActor(stage));
  const scope = { workspaceId: stage.built.workspace.id, conversationId: stage.conversationId, callId, actor, folder };
  const isSensitive = () => false;
  const keep = makeCopyKeeper(
    { conversationId: stage.conversationId, callId, root: folder, isSensitive, isSkipped: () => false },
    [],
    makeChangeRecorder({ ...scope, isSensitive }),
  );
  await keep();
  rmSync(at("thesis.docx"));
  // A process that was killed remembers no running call.
  (globalThis as unknown as Record<symbol, Set<string>>)[Symbol.for("handrail.fileCopyCalls")]?.clear();
  await shell("touch other");
  expect(await restore("thesis.docx")).toContain("Restored");
});

test("the copies go with the conversation", async () => {
  put("a.txt", "a");
  await shell("touch other");
  const store = new CopiesStore(stage.conversationId, folder);
  expect((await store.readManifest()).files.map(({ path: name }) => name)).toContain("a.txt");
  await removeConversation(runtimeActor(stage), stage.conversationId);
  expect((await store.readManifest()).files).toEqual([]);
});
