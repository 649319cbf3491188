import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { approvals, auditEvents, conversations, toolCalls, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize, buildApiKey, buildWorkspace } from "@/server/testing/builders";
import { ask, askCommand, askerOf, useCodingStage, waitingOf } from "@/server/testing/coding-agents/coding-stage";
import { approverActor, listAuditEvents } from "@/server/testing/stage";
import { decideWithEdits } from "@/server/turns/answers/decide-with-edits";
import { endUnreported } from "@/server/turns/client/end-client-call";
import { isWatchedHere } from "@/server/turns/read/watch-turns";
import { recoverTurns } from "@/server/turns/recovery/recover-turns";
import { cancelGuardedCall, getGuardedCall, reportGuardedCall } from "./guarded-calls";

const stage = useCodingStage();

const wait = (id: string, seconds = 10) => getGuardedCall(waitingOf(askerOf(stage)), id, seconds);
const approve = (id: string | null, more: object = {}) =>
  decideWithEdits(approverActor(stage), String(id), { decision: "approve", comment: "", ...more });
const rowOf = async (id: string) => (await db().select().from(toolCalls).where(eq(toolCalls.id, id)))[0];

describe("a call that a client runs", () => {
  test("is released at once when the guard allows it, and its result is recorded with where it ran", async () => {
    const call = await askCommand(stage, "npm test", { callId: "c1" });
    expect(call).toMatchObject({ verdict: "allow", status: "released", approvalId: null });
    expect(await reportGuardedCall(askerOf(stage), call.id, { status: "succeeded", content: "12 passed", durationMs: 840 })).toEqual({
      replace: null,
    });
    expect(await rowOf(call.id)).toMatchObject({
      name: "shell_execute",
      requestedName: "Bash",
      status: "succeeded",
      content: "12 passed",
      durationMs: 840,
    });
    expect(await listAuditEvents(call.turnId)).toEqual(["call.released", "call.succeeded"]);
    const [released] = await db()
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.turnId, call.turnId), eq(auditEvents.event, "call.released")));
    expect(released?.data).toMatchObject({ runner: "client", client: "claude-code", folder: "/home/ada/shop", requestedName: "Bash" });
    expect(released?.verdict).toBe("allow");
  });

  test("is never released on the hard floor, and nobody is asked", async () => {
    const call = await askCommand(stage, "rm -rf ~/");
    expect(call).toMatchObject({ verdict: "deny", status: "refused", approvalId: null });
    expect(call.reason).toContain("never run, approved or not");
  });

  test("waits for a person, and is released when the person approves it", async () => {
    const asked = await askCommand(stage, "git push --force origin main", { callId: "c1" });
    expect(asked).toMatchObject({ verdict: "pending", status: "waiting" });
    const [approval] = await db()
      .select()
      .from(approvals)
      .where(eq(approvals.id, String(asked.approvalId)));
    expect(approval).toMatchObject({ toolName: "shell_execute", summary: "git push --force origin main" });
    const waiting = wait(asked.id);
    await approve(asked.approvalId);
    expect(await waiting).toMatchObject({ verdict: "allow", status: "released" });
    expect((await rowOf(asked.id))?.startedBy).toBeNull();
  });

  test("is refused with the person's words", async () => {
    const asked = await askCommand(stage, "git push");
    await decideApproval(approverActor(stage), String(asked.approvalId), { decision: "reject", comment: "Not on a Friday." });
    const told = await wait(asked.id);
    expect(told).toMatchObject({ verdict: "deny", status: "refused" });
    expect(told.reason).toContain("Not on a Friday.");
  });

  test("says who approved it and with which words, and not why it was asked about", async () => {
    const asked = await askCommand(stage, "git push", { callId: "c1" });
    await approve(asked.approvalId, { comment: "Only this once." });
    expect((await wait(asked.id)).reason).toBe('The approver approved this call. The approver said: "Only this once.".');
    const silent = await askCommand(stage, "git push", { callId: "c2" });
    await approve(silent.approvalId);
    expect((await wait(silent.id)).reason).toBe("The approver approved this call.");
    expect((await askCommand(stage, "npm test")).reason).toContain("stays in the project");
  });

  test("runs with the arguments that the person put in, in the client's own form", async () => {
    const input = { command: "git push --force origin main", description: "Push" };
    const asked = await ask(stage, { input, callId: "c1" });
    await approve(asked.approvalId, { arguments: { command: "git push origin main" } });
    await wait(asked.id);
    const again = await ask(stage, { input, callId: "c1" });
    expect(again).toMatchObject({ id: asked.id, verdict: "allow", input: { command: "git push origin main", description: "Push" } });
  });

  test("is denied at once where nobody can be asked", async () => {
    const call = await askCommand(stage, "git push", { interactive: false, session: "alone" });
    expect(call).toMatchObject({ verdict: "deny", status: "refused", approvalId: null });
  });

  test("is asked about or denied as each call of a session says anew", async () => {
    const verdictOf = async (interactive: boolean, remote: string) =>
      (await askCommand(stage, `git push ${remote}`, { interactive, callId: remote })).verdict;
    expect(await verdictOf(true, "first")).toBe("pending");
    expect(await verdictOf(false, "second")).toBe("deny");
    expect(await verdictOf(true, "third")).toBe("pending");
    const [opened] = await db().select().from(conversations).where(eq(conversations.workspaceId, stage.built.workspace.id));
    expect(opened?.interactive).toBe(true);
  });

  test("expires before its client gives up", async () => {
    const asked = await askCommand(stage, "git push", { approvalSeconds: 90 });
    const [approval] = await db()
      .select()
      .from(approvals)
      .where(eq(approvals.id, String(asked.approvalId)));
    expect(Number(approval?.expiresAt) - Number(approval?.requestedAt)).toBe(90_000);
  });

  test("meets the rules of the tool that it is judged as", async () => {
    const rule = { name: "No tests", tool: "shell_execute", pattern: "^npm test", verdict: "deny", reason: "The tests are broken today." };
    await createRule(authorize(stage.built.admin, "guard:write"), GuardRuleDraft.parse(rule));
    const call = await askCommand(stage, "npm test");
    expect(call.verdict).toBe("deny");
    expect(call.reason).toContain("The tests are broken today.");
  });
});

describe("where a client's call runs", () => {
  test.each([
    ["Write", { file_path: "/home/ada/shop/a.txt", content: "x" }, "allow"],
    ["Write", { file_path: "/home/ada/other/a.txt", content: "x" }, "pending"],
    ["Read", { file_path: "/home/ada/.ssh/id_rsa" }, "pending"],
    ["Edit", { file_path: "/home/ada/shop/a.txt", old_string: "a", new_string: "b" }, "allow"],
    ["Grep", { pattern: "x", path: "/home/ada/shop/src" }, "allow"],
    ["Grep", { pattern: "x", path: "/home/ada/other" }, "pending"],
    ["TodoWrite", { todos: [] }, "allow"],
    ["Agent", { prompt: "Look", subagent_type: "Explore" }, "allow"],
    ["Unheard", { anything: "x" }, "pending"],
    ["probe__send", { text: "x" }, "pending"],
  ])("%s %j: %s", async (tool, input, verdict) => {
    expect((await ask(stage, { tool, input })).verdict).toBe(verdict);
  });

  const folder = "/home/ada/shop";
  test.each([
    ["claude-code", "Grep", { pattern: "key", path: "/" }, "pending"],
    ["claude-code", "Grep", { pattern: "key", path: "/etc" }, "pending"],
    ["claude-code", "Grep", { pattern: "key", path: "~" }, "pending"],
    ["claude-code", "Grep", { pattern: "key", glob: "../**" }, "pending"],
    ["claude-code", "Grep", { pattern: "key", path: "src", glob: "../../*.txt" }, "pending"],
    ["claude-code", "Grep", { pattern: "key", path: `${folder}/src`, glob: "{a,../../x}/*.txt" }, "pending"],
    ["claude-code", "Glob", { pattern: "/etc/**" }, "pending"],
    ["claude-code", "Glob", { pattern: "**/*.pem", path: "/" }, "pending"],
    ["claude-code", "Glob", { pattern: "~/**" }, "pending"],
    ["claude-code", "Glob", { pattern: "{/etc,src}/**" }, "pending"],
    ["gemini", "glob", { pattern: "../*" }, "pending"],
    ["gemini", "search_file_content", { pattern: "x", dir_path: "/var" }, "pending"],
    ["gemini", "read_many_files", { include: ["src/a.ts", "../other/*"] }, "pending"],
    ["gemini", "read_many_files", { paths: ["/home/ada/.ssh/id_rsa"] }, "pending"],
    ["copilot", "grep", { pattern: "x", path: "/etc" }, "pending"],
    ["opencode", "grep", { pattern: "x", include: "../*" }, "pending"],
    ["opencode", "list", { path: "/" }, "pending"],
    ["opencode", "glob", { pattern: "/etc/**", path: folder }, "pending"],
    ["copilot", "glob", { pattern: "/home/ada/other/*" }, "pending"],
    ["claude-code", "Grep", { pattern: "^/etc", path: "src" }, "allow"],
    ["opencode", "glob", { pattern: "**/*.ts" }, "allow"],
    ["copilot", "glob", { pattern: "src/*.ts", path: folder }, "allow"],
    ["claude-code", "Grep", { pattern: "x", glob: "src/**/*.{ts,tsx}" }, "allow"],
    ["claude-code", "Grep", { pattern: "x", path: folder, glob: "!../x" }, "allow"],
    ["claude-code", "Glob", { pattern: "**/*.ts" }, "allow"],
    ["claude-code", "Glob", { pattern: `${folder}/**/*.{ts,tsx}` }, "allow"],
    ["claude-code", "Glob", { pattern: "app/(auth)/**", path: folder }, "allow"],
    ["claude-code", "Grep", { pattern: "x", path: "/usr/include" }, "allow"],
    ["gemini", "read_many_files", { include: ["src/**/*.ts", "README.md"] }, "allow"],
    ["gemini", "glob", { pattern: "src/*", dir_path: folder }, "allow"],
    ["opencode", "list", { path: folder }, "allow"],
  ])("a search of %s asks where it leaves the project: %s %j: %s", async (client, tool, input, verdict) => {
    const answered = await ask(stage, { client, tool, input });
    expect(answered.verdict, answered.reason).toBe(verdict);
  });

  test("a patch is judged by the files that it names", async () => {
    const patch = (path: string) => ({ command: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch` });
    const verdictOf = async (path: string) => (await ask(stage, { client: "codex", tool: "apply_patch", input: patch(path) })).verdict;
    expect(await verdictOf("src/a.ts")).toBe("allow");
    expect(await verdictOf("/home/ada/shop/src/a.ts")).toBe("allow");
    expect(await verdictOf("../other/a.ts")).toBe("pending");
    expect(await verdictOf("/home/ada/.bashrc")).toBe("pending");
  });

  test.each(["*** Begin Patch\n*** Rename File: a\n*** End Patch", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"])(
    "a patch that cannot be read asks as one, and not as a command: %j",
    async (command) => {
      const input = { command };
      const asked = await ask(stage, { client: "codex", tool: "apply_patch", input, callId: "p1" });
      expect(asked.verdict).toBe("pending");
      expect(asked.reason).toContain("This call writes a path that is known only when it runs.");
      expect((await rowOf(asked.id))?.decision?.effects?.map(({ kind }) => kind)).toEqual(["write"]);
      await approve(asked.approvalId);
      await wait(asked.id);
      expect(await ask(stage, { client: "codex", tool: "apply_patch", input, callId: "p1" })).not.toHaveProperty("input");
    },
  );

  test("a patch whose text a person changed to name other files is not run", async () => {
    const input = { command: "*** Begin Patch\n*** Delete File: src/a.ts\n*** Update File: .env\n@@\n+b\n*** End Patch" };
    const asked = await ask(stage, { client: "codex", tool: "apply_patch", input, callId: "p1" });
    expect(asked.verdict).toBe("pending");
    const shown = (await rowOf(asked.id))?.arguments ?? {};
    await approve(asked.approvalId, { arguments: { ...shown, patch: "*** Begin Patch\n*** Add File: /etc/x\n+b\n*** End Patch" } });
    await wait(asked.id);
    const told = await ask(stage, { client: "codex", tool: "apply_patch", input, callId: "p1" });
    expect(told.verdict).toBe("deny");
  });

  test("a folder that is no project holds nothing", async () => {
    for (const folder of ["/", "/home/ada", "/home", "/etc", "/tmp"])
      expect((await askCommand(stage, "touch a", { folder, session: folder })).verdict, folder).toBe("pending");
  });

  test("a link leads where the client says", async () => {
    const links = [{ path: "notes", real: "/home/ada/private/notes" }];
    expect((await askCommand(stage, "cat notes")).verdict).toBe("allow");
    for (const command of ["cat notes", "cat notes/new.txt", "cd notes && cat a.txt", "cat notes/../a.txt"])
      expect((await askCommand(stage, command, { links, callId: command })).verdict, command).toBe("pending");
  });

  test("a command that starts elsewhere is judged there", async () => {
    expect((await askCommand(stage, "touch a", { cwd: "/home/ada/shop/src" })).verdict).toBe("allow");
    expect((await askCommand(stage, "touch b", { cwd: "/home/ada/other" })).verdict).toBe("pending");
  });

  test("a subagent's calls are in a child of the session's conversation", async () => {
    const own = await askCommand(stage, "ls", { callId: "a" });
    const child = await askCommand(stage, "ls", { callId: "b", agent: { id: "agent-7", type: "Explore" } });
    const [row] = await db().select().from(conversations).where(eq(conversations.id, child.conversationId));
    expect(row).toMatchObject({ parentConversationId: own.conversationId, origin: "coding_agent", channel: "claude-code" });
  });
});

describe("a call that is sent again", () => {
  test("with its id is the same call, and another one under that id is refused", async () => {
    const first = await askCommand(stage, "git push", { callId: "c1" });
    expect((await askCommand(stage, "git push", { callId: "c1" })).id).toBe(first.id);
    await expect(askCommand(stage, "rm -rf src", { callId: "c1" })).rejects.toMatchObject({ code: "idempotency_mismatch" });
  });

  test("without an id within a minute is the same call, unless it has run", async () => {
    const first = await askCommand(stage, "npm test");
    expect((await askCommand(stage, "npm test")).id).toBe(first.id);
    await reportGuardedCall(askerOf(stage), first.id, { status: "succeeded", content: "" });
    expect((await askCommand(stage, "npm test")).id).not.toBe(first.id);
  });

  test("under a new id takes over the question that nobody waits for any more: one card, one release", async () => {
    const first = await askCommand(stage, "git push", { callId: "before" });
    const second = await askCommand(stage, "git push", { callId: "after" });
    expect(second.id).toBe(first.id);
    await approve(first.approvalId);
    expect(await wait(first.id)).toMatchObject({ verdict: "allow" });
    // The earlier id is another call now, and asks anew.
    expect((await askCommand(stage, "git push", { callId: "before" })).id).not.toBe(first.id);
  });

  test("takes over an approval that came while nobody waited, but none that a client was told of", async () => {
    const first = await askCommand(stage, "git push", { callId: "before" });
    await approve(first.approvalId);
    await expect.poll(async () => (await rowOf(first.id))?.status).toBe("released");
    const second = await askCommand(stage, "git push", { callId: "after" });
    expect(second).toMatchObject({ id: first.id, verdict: "allow" });
    const third = await askCommand(stage, "git push", { callId: "third" });
    expect(third.id).not.toBe(first.id);
    expect(third.verdict).toBe("pending");
  });

  test("beside one that somebody waits for has a question of its own", async () => {
    const first = await askCommand(stage, "git push", { callId: "one" });
    const waiting = wait(first.id, 5);
    await expect.poll(() => isWatchedHere(first.turnId)).toBe(true);
    expect((await askCommand(stage, "git push", { callId: "two" })).id).not.toBe(first.id);
    await approve(first.approvalId);
    expect((await waiting).verdict).toBe("allow");
  });

  test("at the same moment many times is one call", async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => askCommand(stage, "git push", { callId: "c1" })));
    expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
  });
});

describe("the end of a client's call", () => {
  test("a secret in the result is masked, and the client gets the masked text", async () => {
    const key = `sk-ant-api03-${"a1B2".repeat(24)}`;
    const call = await askCommand(stage, "npm test");
    const { replace } = await reportGuardedCall(askerOf(stage), call.id, { status: "succeeded", content: `key = ${key}` });
    expect(replace).not.toContain(key);
    expect((await rowOf(call.id))?.content).toContain(String(replace));
  });

  test("a second report is masked like the first, also when both come at once", async () => {
    const key = `sk-ant-api03-${"a1B2".repeat(24)}`;
    const call = await askCommand(stage, "npm test");
    const report = () => reportGuardedCall(askerOf(stage), call.id, { status: "succeeded", content: `key = ${key}` });
    const told = [...(await Promise.all([report(), report()])), await report()];
    for (const { replace } of told) expect(replace).toContain("***");
    expect(new Set(told.map(({ replace }) => replace)).size).toBe(1);
  });

  test("a second report changes nothing, and one of a call that was not released is refused", async () => {
    const call = await askCommand(stage, "npm test");
    await reportGuardedCall(askerOf(stage), call.id, { status: "succeeded", content: "first" });
    await reportGuardedCall(askerOf(stage), call.id, { status: "failed", content: "second" });
    expect((await rowOf(call.id))?.content).toBe("first");
    const asked = await askCommand(stage, "git push");
    await expect(reportGuardedCall(askerOf(stage), asked.id, { status: "succeeded", content: "" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("a withdrawn call closes its card, and is not approved any more", async () => {
    const asked = await askCommand(stage, "git push", { callId: "c1" });
    expect(await cancelGuardedCall(askerOf(stage), asked.id)).toMatchObject({ verdict: "deny", status: "cancelled" });
    await expect(approve(asked.approvalId)).rejects.toMatchObject({ code: "already_decided" });
    expect((await askCommand(stage, "git push", { callId: "c1" })).verdict).toBe("deny");
  });

  test("without a result its outcome is unknown, and it is never run again", async () => {
    const call = await askCommand(stage, "npm publish --dry-run", { callId: "c1" });
    await approve(call.approvalId);
    await wait(call.id);
    await recoverTurns();
    expect((await rowOf(call.id))?.status).toBe("released");
    expect(await endUnreported({ releasedBefore: new Date(Date.now() + 1_000) }), "with those of other tests").toBeGreaterThan(0);
    expect(await wait(call.id, 0)).toMatchObject({ status: "unknown", verdict: "deny" });
    expect((await db().select().from(turns).where(eq(turns.id, call.turnId)))[0]?.status).toBe("completed");
    expect((await askCommand(stage, "npm publish --dry-run", { callId: "c1" })).verdict).toBe("deny");
  });

  test("a command that fails again and again may be tried again, as with our own shell", async () => {
    for (let round = 0; round < 6; round += 1) {
      const call = await askCommand(stage, "npm test", { callId: `r${round}` });
      expect(call.verdict).toBe("allow");
      await reportGuardedCall(askerOf(stage), call.id, { status: "failed", content: "1 failed" });
    }
  });

  test("a tool that fails again and again with the same arguments is stopped", async () => {
    const write = (round: number) =>
      ask(stage, { tool: "Write", input: { file_path: "/home/ada/shop/a", content: "x" }, callId: `w${round}` });
    for (let round = 0; round < 5; round += 1) {
      const call = await write(round);
      await reportGuardedCall(askerOf(stage), call.id, { status: "failed", content: "disk full" });
    }
    expect(await write(9)).toMatchObject({ verdict: "deny", reason: expect.stringContaining("failed 5 times") });
  });
});

describe("who may ask", () => {
  test("the key of a coding agent can do nothing else", async () => {
    expect([...stage.key.permissions]).toEqual(["guard:ask"]);
    for (const permission of ["guard:read", "approvals:decide", "approvals:read", "turns:read", "audit:read"] as const)
      expect(() => authorize(stage.key, permission)).toThrow();
  });

  test("a key reaches only its own calls", async () => {
    const asked = await askCommand(stage, "git push", { callId: "c1" });
    const other = authorize(await buildApiKey(stage.built.workspace.id, { scopes: ["guard:ask"] }), "guard:ask");
    const stranger = authorize(await buildApiKey((await buildWorkspace()).workspace.id, { scopes: ["guard:ask"] }), "guard:ask");
    for (const actor of [other, stranger]) {
      await expect(getGuardedCall(waitingOf(actor), asked.id, 0)).rejects.toMatchObject({ code: "not_found" });
      await expect(cancelGuardedCall(actor, asked.id)).rejects.toMatchObject({ code: "not_found" });
      await expect(reportGuardedCall(actor, asked.id, { status: "succeeded", content: "" })).rejects.toMatchObject({ code: "not_found" });
    }
  });
});
