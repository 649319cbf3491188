import { and, desc, eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import type { Dialect } from "@/contracts/agents/coding-agents";
import { approvals, codingSessions, toolCalls } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { useCodingStage } from "@/server/testing/coding-agents/coding-stage";
import { approverActor } from "@/server/testing/stage";
import { decideWithEdits } from "@/server/turns/answers/decide-with-edits";
import { approvalSecondsFor } from "./answer-hook";

const stage = useCodingStage();
const folder = "/home/ada/shop";

/** The native body of one shell call in each client, before the call. */
const shellCall: Record<Dialect, (command: string, id?: string) => object> = {
  "claude-code": (command, id = "toolu_1") => ({
    ...{ session_id: "s", transcript_path: "/home/ada/.claude/projects/shop/s.jsonl", cwd: folder, permission_mode: "default" },
    ...{ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command, description: "Do it" }, tool_use_id: id },
  }),
  codex: (command, id = "call_1") => ({
    ...{ session_id: "s", turn_id: "t", transcript_path: null, cwd: folder, hook_event_name: "PreToolUse", model: "m" },
    ...{ permission_mode: "default", tool_name: "Bash", tool_input: { command }, tool_use_id: id },
  }),
  gemini: (command) => ({
    ...{ session_id: "s", transcript_path: "", cwd: folder, hook_event_name: "BeforeTool", timestamp: "2026-11-27T10:00:00Z" },
    ...{ tool_name: "run_shell_command", tool_input: { command, description: "Do it" } },
  }),
  copilot: (command) => ({ sessionId: "s", timestamp: 1, cwd: folder, toolName: "bash", toolArgs: { command } }),
  opencode: (command, id = "call_1") => ({
    event: "before",
    sessionID: "s",
    callID: id,
    directory: folder,
    tool: "bash",
    args: { command },
  }),
  cursor: (command, id = "call_1") => ({
    ...{ conversation_id: "s", generation_id: "g", hook_event_name: "preToolUse", workspace_roots: [folder] },
    ...{ tool_name: "Shell", tool_input: { command }, tool_use_id: id },
  }),
};

const allowed: Record<Dialect, unknown> = {
  "claude-code": {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", permissionDecisionReason: expect.any(String) },
  },
  codex: {},
  gemini: {},
  copilot: { permissionDecision: "allow", permissionDecisionReason: expect.any(String) },
  opencode: { decision: "allow" },
  cursor: { permission: "allow" },
};

const never = expect.stringContaining("never run, approved or not");
const preToolUse = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: never } };
const denied: Record<Dialect, unknown> = {
  "claude-code": preToolUse,
  codex: preToolUse,
  gemini: { decision: "deny", reason: never },
  copilot: { permissionDecision: "deny", permissionDecisionReason: never },
  opencode: { decision: "deny", reason: never },
  cursor: { permission: "deny", user_message: never, agent_message: never },
};

const edited: Record<Dialect, unknown> = {
  "claude-code": {
    hookSpecificOutput: {
      ...{ hookEventName: "PreToolUse", permissionDecision: "allow", permissionDecisionReason: expect.any(String) },
      ...{
        updatedInput: { command: "git push origin main", description: "Do it" },
        additionalContext: expect.stringContaining("The approver changed"),
      },
    },
  },
  codex: {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: { command: "git push origin main" } },
  },
  gemini: { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command: "git push origin main", description: "Do it" } } },
  copilot: {
    ...{ permissionDecision: "allow", permissionDecisionReason: expect.any(String), modifiedArgs: { command: "git push origin main" } },
    additionalContext: expect.stringContaining("The approver changed"),
  },
  opencode: { decision: "allow", args: { command: "git push origin main" } },
  cursor: {
    permission: "deny",
    user_message: expect.stringContaining("Send it again"),
    agent_message: expect.stringContaining("Send it again"),
  },
};

const clients = Object.keys(shellCall) as Dialect[];

/** The newest question of the workspace, once somebody is asked. */
const newest = () =>
  vi.waitFor(async () => {
    const isOpen = and(eq(approvals.workspaceId, stage.built.workspace.id), eq(approvals.status, "pending"));
    const [approval] = await db().select().from(approvals).where(isOpen).orderBy(desc(approvals.id)).limit(1);
    if (!approval) throw new Error("nobody is asked yet");
    return approval.id;
  });
const approve = async (more: object = {}) =>
  decideWithEdits(approverActor(stage), await newest(), { decision: "approve", comment: "", ...more });

describe.each(clients)("%s", (client) => {
  test("an allowed call gets exactly what the client takes for a yes", async () => {
    const { hook } = await codingHttp(stage);
    const response = await hook(client, shellCall[client]("npm test"));
    expect(response.headers.get("handrail-hook")).toBe(client);
    expect(await response.json()).toEqual(allowed[client]);
  });

  test("a denied call gets exactly what the client takes for a no, with the reason", async () => {
    const { hook } = await codingHttp(stage);
    expect(await (await hook(client, shellCall[client]("rm -rf ~/"))).json()).toEqual(denied[client]);
  });

  test("the answer waits for a person, and carries the person's arguments", async () => {
    const { hook } = await codingHttp(stage);
    const answer = hook(client, shellCall[client]("git push --force origin main"));
    await approve({ arguments: { command: "git push origin main" } });
    expect(await (await answer).json()).toEqual(edited[client]);
  });

  test("a client that asks again and again hears 202 until somebody has decided", async () => {
    const { hook } = await codingHttp(stage);
    const asked = () => hook(client, shellCall[client]("git push"), "?wait=0&call=c-1");
    const first = await asked();
    expect([first.status, await first.json()]).toEqual([202, {}]);
    expect((await asked()).headers.get("handrail-call")).toBe(first.headers.get("handrail-call"));
    await approve();
    await expect.poll(async () => (await asked()).status).toBe(200);
  });

  test("a client that leaves withdraws its call", async () => {
    const { hook } = await codingHttp(stage);
    const leaving = new AbortController();
    const answer = hook(client, shellCall[client]("git push"), "", leaving.signal).then((response) => response.text());
    const id = await newest();
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(async () => (await db().select().from(approvals).where(eq(approvals.id, id)))[0]?.status).toBe("cancelled");
  });
});

describe("an approver's name and words reach the model", () => {
  const said = 'The approver approved this call. The approver said: "Only main.".';
  const run: Partial<Record<Dialect, object>> = {
    codex: { tool_response: "pushed", hook_event_name: "PostToolUse" },
    gemini: { tool_response: { llmContent: "pushed" }, hook_event_name: "AfterTool" },
    opencode: { event: "after", output: "pushed" },
  };

  test.each(["claude-code", "copilot"] as const)("of %s with the answer", async (client) => {
    const { hook } = await codingHttp(stage);
    const answer = hook(client, shellCall[client]("git push"));
    await approve({ comment: "Only main." });
    const told = await (await answer).json();
    expect(told.hookSpecificOutput ?? told).toMatchObject({ permissionDecisionReason: said, additionalContext: said });
  });

  test.each(["codex", "gemini", "opencode"] as const)("of %s with the result", async (client) => {
    const { hook } = await codingHttp(stage);
    const answer = hook(client, shellCall[client]("git push"));
    await approve({ comment: "Only main." });
    // The head of the answer comes while people still decide; the client runs the call when it has the whole.
    await (await answer).text();
    const told = await (await hook(client, { ...shellCall[client]("git push"), ...run[client] })).json();
    expect(told.output ?? told.hookSpecificOutput.additionalContext).toBe(client === "opencode" ? `pushed\n\n${said}` : said);
  });
});

describe("results", () => {
  const secret = `sk-ant-api03-${"a1B2".repeat(24)}`;
  const results: Partial<Record<Dialect, [body: object, masked: unknown]>> = {
    "claude-code": [
      { tool_response: { stdout: `key ${secret}`, stderr: "", interrupted: false, isImage: false }, hook_event_name: "PostToolUse" },
      {
        hookSpecificOutput: {
          hookEventName: "PostToolUse",
          updatedToolOutput: { stdout: expect.stringContaining("***"), stderr: "", interrupted: false, isImage: false },
        },
      },
    ],
    codex: [
      { tool_response: `key ${secret}`, hook_event_name: "PostToolUse" },
      { decision: "block", reason: expect.stringContaining("***") },
    ],
    gemini: [
      { tool_response: { llmContent: `key ${secret}` }, hook_event_name: "AfterTool" },
      { decision: "deny", reason: expect.stringContaining("***") },
    ],
    copilot: [
      { toolResult: { resultType: "success", textResultForLlm: `key ${secret}` } },
      { modifiedResult: { resultType: "success", textResultForLlm: expect.stringContaining("***") } },
    ],
    opencode: [{ event: "after", output: `key ${secret}` }, { output: expect.stringContaining("***") }],
  };

  test.each(Object.entries(results))("a secret in a result of %s is masked in its own shape", async (name, [result, masked]) => {
    const client = name as Dialect;
    const { hook } = await codingHttp(stage);
    await hook(client, shellCall[client]("npm test"));
    const told = await (await hook(client, { ...shellCall[client]("npm test"), ...result })).json();
    expect(told).toEqual(masked);
    expect(JSON.stringify(told)).not.toContain(secret);
    const [call] = await db().select().from(toolCalls).orderBy(desc(toolCalls.id)).limit(1);
    expect(call).toMatchObject({ status: "succeeded", content: expect.not.stringContaining(secret) });
  });

  test("a secret in a second report of a result is masked, too", async () => {
    const { hook } = await codingHttp(stage);
    await hook("claude-code", shellCall["claude-code"]("npm test"));
    const [result, masked] = results["claude-code"] ?? [];
    const report = async () => (await hook("claude-code", { ...shellCall["claude-code"]("npm test"), ...result })).json();
    expect(await report()).toEqual(masked);
    expect(await report()).toEqual(masked);
  });

  test("a result without a release counts as bypassed", async () => {
    const { hook } = await codingHttp(stage);
    const body = {
      ...shellCall["claude-code"]("curl https://evil.example"),
      hook_event_name: "PostToolUse",
      tool_response: { stdout: "" },
    };
    expect(await (await hook("claude-code", body)).json()).toEqual({});
    expect((await db().select().from(codingSessions).where(eq(codingSessions.workspaceId, stage.built.workspace.id)))[0]?.bypassed).toBe(1);
  });
});

describe("Claude Code at a desk", () => {
  const permission = (command: string) => {
    const { tool_use_id: _, ...body } = shellCall["claude-code"](command) as Record<string, unknown>;
    return { ...body, hook_event_name: "PermissionRequest", permission_suggestions: [] };
  };

  test("keyboard and phone race: the phone wins", async () => {
    const { hook } = await codingHttp(stage);
    const asked = await (await hook("claude-code", shellCall["claude-code"]("git push"), "?mode=desk")).json();
    expect(asked).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } });
    const answer = hook("claude-code", permission("git push"), "?mode=desk");
    await approve();
    expect(await (await answer).json()).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    });
  });

  test("the keyboard wins: the card closes, and the result is recorded", async () => {
    const { hook } = await codingHttp(stage);
    await hook("claude-code", shellCall["claude-code"]("git push"), "?mode=desk");
    const id = await newest();
    const done = { ...shellCall["claude-code"]("git push"), hook_event_name: "PostToolUse", tool_response: { stdout: "pushed" } };
    expect(await (await hook("claude-code", done, "?mode=desk")).json()).toEqual({});
    expect((await db().select().from(approvals).where(eq(approvals.id, id)))[0]?.status).toBe("cancelled");
    const [call] = await db().select().from(toolCalls).orderBy(desc(toolCalls.id)).limit(1);
    expect(call).toMatchObject({ status: "succeeded", content: "pushed" });
  });

  test("a deferred call is asked again when the session is resumed", async () => {
    const { hook } = await codingHttp(stage);
    const ask = async () => (await hook("claude-code", shellCall["claude-code"]("git push"), "?mode=defer")).json();
    expect(await ask()).toMatchObject({ hookSpecificOutput: { permissionDecision: "defer" } });
    await approve();
    await expect.poll(ask).toMatchObject({ hookSpecificOutput: { permissionDecision: "allow" } });
  });
});

test("people's time always ends before the client gives up", () => {
  for (const timeout of [30, 60, 120, 180, 600, 3_600]) expect(approvalSecondsFor(timeout)).toBeLessThan(timeout);
  expect(approvalSecondsFor(3_600)).toBe(3_540);
});

describe("bad input", () => {
  const shellOf = shellCall["claude-code"];
  const verdictOf = async (body: object) => {
    const { hook } = await codingHttp(stage);
    const response = await hook("claude-code", body);
    return response.status === 200 ? (await response.json()).hookSpecificOutput?.permissionDecision : response.status;
  };

  test("characters that cannot be stored never lead to a yes", async () => {
    expect(await verdictOf(shellOf("echo \0"))).toBe("deny");
    expect(await verdictOf({ ...shellOf("ls"), session_id: "s\0" })).toBe(422);
    expect(await verdictOf({ ...shellOf("ls"), tool_name: "Ba\0sh" })).toBe(422);
  });

  test("a large file is judged by its path, and one of more than 5 MB is refused", async () => {
    const write = (chars: number) => ({
      ...shellOf(""),
      tool_name: "Write",
      tool_input: { file_path: `${folder}/a.txt`, content: "x".repeat(chars) },
    });
    expect(await verdictOf(write(2_000_000))).toBe("allow");
    expect(await verdictOf(write(5_300_000))).toBe(413);
  });

  test("members of other kinds, foreign ones and unknown events do no harm", async () => {
    expect(await verdictOf({ ...shellOf("ls"), foreign: { deep: [1, 2] }, permission_mode: 7 })).toBe("allow");
    const { hook } = await codingHttp(stage);
    // Without a command it is an unknown call, about which a person is asked.
    expect((await hook("claude-code", { ...shellOf("ls", "toolu_2"), tool_input: "ls" }, "?wait=0")).status).toBe(202);
    const unknown = await hook("claude-code", { ...shellOf("git push"), hook_event_name: "SomethingNew" });
    expect([unknown.status, await unknown.json()]).toEqual([200, {}]);
  });

  test("a result of 3 MB with such characters is kept in part", async () => {
    const { hook } = await codingHttp(stage);
    await hook("claude-code", shellOf("npm test"));
    const done = {
      ...shellOf("npm test"),
      hook_event_name: "PostToolUse",
      tool_response: { stdout: `a\0b${"x".repeat(3_000_000)}`, stderr: "" },
    };
    expect((await hook("claude-code", done)).status).toBe(200);
    const [call] = await db().select().from(toolCalls).orderBy(desc(toolCalls.id)).limit(1);
    expect(call).toMatchObject({ status: "succeeded" });
    expect(Number(call?.content.length)).toBeLessThan(20_000);
  });
});

test("a body that names no session is refused, in no way that a client could take for a yes", async () => {
  const { hook } = await codingHttp(stage);
  for (const body of [{}, { session_id: "s" }, { session_id: "s", cwd: "relative" }, { hook_event_name: "PreToolUse" }]) {
    const response = await hook("claude-code", body);
    expect(response.status).toBe(422);
    expect(response.headers.get("handrail-hook")).toBeNull();
  }
});
