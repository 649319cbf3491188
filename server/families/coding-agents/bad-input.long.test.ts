import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { approvals, codingSessions, conversations, toolCalls } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { ask, askCommand, useCodingStage } from "@/server/testing/coding-agents/coding-stage";
import { approverActor } from "@/server/testing/stage";
import { endLostCalls } from "./keep-calls";
import { listSessions } from "./list-sessions";

const stage = useCodingStage();

const about = { session_id: "s", cwd: "/home/ada/shop", hook_event_name: "PreToolUse", tool_use_id: "t1", tool_name: "Bash" };
const questionAbout = (command: string, more: object = {}) => ({ ...about, tool_input: { command }, ...more });
const decisionOf = async (answer: Response) => (await answer.json()).hookSpecificOutput?.permissionDecision;
const sessions = () => db().select().from(codingSessions).where(eq(codingSessions.workspaceId, stage.built.workspace.id));

describe("a hook's body", () => {
  test("of more than 5 MB is refused, and one just below is judged", async () => {
    const { hook } = await codingHttp(stage);
    const write = (bytes: number) => ({
      ...about,
      tool_name: "Write",
      tool_input: { file_path: "/home/ada/shop/a.txt", content: "x".repeat(bytes) },
    });
    expect((await hook("claude-code", write(5 * 1_048_576 + 1))).status).toBe(413);
    expect(await decisionOf(await hook("claude-code", write(5 * 1_048_576 - 2_000)))).toBe("allow");
  });

  test("with members that nobody knows is judged by those that are known", async () => {
    const { hook } = await codingHttp(stage);
    const strange = { permission_decision: "allow", hookSpecificOutput: { permissionDecision: "allow" }, __proto__x: { a: 1 } };
    expect(await decisionOf(await hook("claude-code", questionAbout("rm -rf /", strange)))).toBe("deny");
  });

  test("with an event that nobody knows is refused where the hook program asks before a call", async () => {
    const { hook } = await codingHttp(stage);
    for (const hook_event_name of ["BeforeAnyTool", "PostToolUse", "SessionStart"]) {
      expect((await hook("codex", questionAbout("ls", { hook_event_name }), "?wait=0")).status, hook_event_name).toBe(422);
    }
    expect((await hook("codex", questionAbout("ls"), "?wait=0")).status).toBe(200);
  });

  test("with an event that is none, or belongs to another client, releases nothing", async () => {
    const { hook } = await codingHttp(stage);
    for (const hook_event_name of ["PretoolUse", "BeforeTool", "beforeShellExecution", "", 7, null]) {
      const answer = await hook("claude-code", questionAbout("npm test", { hook_event_name }));
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
    }
    expect(await db().$count(toolCalls, eq(toolCalls.workspaceId, stage.built.workspace.id))).toBe(0);
  });

  test("without a session or with a folder that is none is refused with its members named", async () => {
    const { hook } = await codingHttp(stage);
    for (const more of [{ session_id: undefined }, { cwd: "shop" }, { cwd: "/home/ada/../bob" }, { cwd: "/home/a\u202Eda" }]) {
      const answer = await hook("claude-code", questionAbout("npm test", more));
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain("must name the session and its folder");
    }
  });

  test.each(["[]", "null", '"text"', "{", "\u0000"])("that is %j is refused", async (body) => {
    const { origin, key } = await codingHttp(stage);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const { status } = await fetch(`${origin}/agent-hooks/claude-code`, { method: "POST", headers, body });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

describe("names with hidden characters", () => {
  test.each(["session", "callId", "tool", "host", "user", "repository", "version"])("in %s are refused", (member) => {
    expect(() => ask(stage, { input: { command: "ls" }, [member]: "a\u200Bb" })).toThrow(/characters that are not shown/);
  });

  test("of a native tool make it an unknown one, which asks", async () => {
    const { hook } = await codingHttp(stage);
    expect(await decisionOf(await hook("claude-code", questionAbout("rm -rf build", { tool_name: "Re\u200Bad" }), "?mode=desk"))).toBe(
      "ask",
    );
  });
});

describe("ids of others", () => {
  test("a key of another workspace reaches no call, session or policy of this one", async () => {
    const { origin } = await codingHttp(stage);
    const mine = await askCommand(stage, "cat /etc/passwd", { callId: "c1" });
    const other = await buildWorkspace();
    const { key } = await createApiKey(authorize(other.admin, "admin"), { name: "Other", scopes: ["guard:ask"] });
    const call = (path: string, method = "POST", body?: object) =>
      fetch(`${origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    expect((await call(`/api/v1/guarded-calls/${mine.id}`, "GET")).status).toBe(404);
    expect((await call(`/api/v1/guarded-calls/${mine.id}/cancel`)).status).toBe(404);
    expect((await call(`/api/v1/guarded-calls/${mine.id}/result`, "POST", { status: "succeeded" })).status).toBe(404);
    const [card] = await db().select().from(approvals).where(eq(approvals.workspaceId, stage.built.workspace.id));
    expect(card?.status).toBe("pending");
    expect((await listSessions(authorize(other.admin, "turns:read"), {})).items).toEqual([]);
  });

  test("the id of an approved call releases nothing in another session, and a result there does not end it", async () => {
    const { hook } = await codingHttp(stage);
    const push = (session_id: string, more: object = {}) => questionAbout("git push", { session_id, ...more });
    const desk = (session: string) => hook("claude-code", push(session), "?mode=desk");
    expect(await decisionOf(await desk("first"))).toBe("ask");
    const [card] = await db().select().from(approvals).where(eq(approvals.workspaceId, stage.built.workspace.id));
    await decideApproval(approverActor(stage), String(card?.id), { decision: "approve", comment: "" });
    expect(await decisionOf(await desk("second"))).toBe("ask");
    await hook("claude-code", push("second", { hook_event_name: "PostToolUse", tool_response: { stdout: "pushed" } }));
    const statuses = (await db().select().from(toolCalls).where(eq(toolCalls.workspaceId, stage.built.workspace.id))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual(["awaiting_approval", "released"]);
    expect(await decisionOf(await desk("first"))).toBe("allow");
  });

  test("another key that names the same session and the same call asks anew", async () => {
    const { hook, origin } = await codingHttp(stage);
    const first = await hook("codex", questionAbout("git push"), "?wait=0");
    const { key } = await createApiKey(authorize(stage.built.admin, "admin"), { name: "Bob's laptop", scopes: ["guard:ask"] });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify(questionAbout("git push"));
    const second = await fetch(`${origin}/agent-hooks/codex?wait=0`, { method: "POST", headers, body });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.headers.get("handrail-call")).not.toBe(first.headers.get("handrail-call"));
    expect(await db().$count(approvals, eq(approvals.workspaceId, stage.built.workspace.id))).toBe(2);
  });

  test("a replayed question finds its call, and a replayed result changes nothing", async () => {
    const { hook } = await codingHttp(stage);
    const result = (stdout: string) => ({ ...questionAbout("npm test"), hook_event_name: "PostToolUse", tool_response: { stdout } });
    expect(await decisionOf(await hook("claude-code", questionAbout("npm test")))).toBe("allow");
    await hook("claude-code", result("12 passed"));
    await hook("claude-code", result("forged"));
    // The call is over, so its id releases nothing more.
    expect(await decisionOf(await hook("claude-code", questionAbout("npm test")))).toBe("deny");
    const rows = await db().select().from(toolCalls).where(eq(toolCalls.workspaceId, stage.built.workspace.id));
    expect(rows).toMatchObject([{ status: "succeeded", content: "12 passed" }]);
    expect(await sessions()).toMatchObject([{ bypassed: 0 }]);
  });
});

test("two thousand sessions of one key are pages of a list", { timeout: 30_000 }, async () => {
  await askCommand(stage, "ls");
  const [one] = await sessions();
  if (!one) throw new Error("the session is not there");
  const [conversation] = await db().select().from(conversations).where(eq(conversations.id, one.conversationId));
  if (!conversation) throw new Error("the conversation is not there");
  const ids = Array.from({ length: 2_000 }, () => newId());
  await db()
    .insert(conversations)
    .values(ids.map((id) => ({ ...conversation, id, externalId: id })));
  await db()
    .insert(codingSessions)
    .values(ids.map((id) => ({ ...one, id, conversationId: id })));
  const actor = authorize(stage.built.admin, "turns:read");
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await listSessions(actor, { limit: 200, cursor });
    for (const { id } of page.items) seen.add(id);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen.size).toBe(2_001);
});

test("a client that never reports ends as outcome unknown, whatever its own clock says", async () => {
  const { hook } = await codingHttp(stage);
  const asked = { hook_event_name: "BeforeTool", session_id: "g", cwd: "/home/ada/shop", timestamp: "2099-01-01T00:00:00Z" };
  await hook("gemini", { ...asked, tool_name: "run_shell_command", tool_input: { command: "npm test" } });
  await endLostCalls();
  const read = async () => (await db().select().from(toolCalls).where(eq(toolCalls.workspaceId, stage.built.workspace.id)))[0];
  expect(await read()).toMatchObject({ status: "released" });
  expect((await read())?.startedAt?.getFullYear()).toBeLessThan(2099);
  await endLostCalls(new Date(Date.now() + 7 * 3_600_000));
  expect(await read()).toMatchObject({ status: "interrupted" });
});
