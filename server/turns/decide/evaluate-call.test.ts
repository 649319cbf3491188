import "@/server/testing/builtin-tools";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { GrantDraft } from "@/contracts/guard/grants";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { EvaluatedContext, RuleContext } from "@/contracts/guard/rule-conditions";
import { agents, conversations, delegates, mcpServers, tools } from "@/db/schema";
import { createGrant } from "@/server/approvals/grants/create-grant";
import { bumpConfigVersion, recordConfigChange } from "@/server/audit/record-config-change";
import { toActorRef } from "@/server/auth/actor";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { analyzeCall } from "@/server/guard/call/analyzed-call";
import { computeCallDigest } from "@/server/guard/refusals/repeated-refusal";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { findGuardedTool } from "@/server/policy/find-guarded-tool";
import { loadPolicy } from "@/server/policy/policy";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize, type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { buildRecordedTools } from "@/server/testing/recorded-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { evaluateCall } from "./evaluate-call";

useTestDatabase();

async function build() {
  const built = await buildWorkspace();
  await db()
    .insert(tools)
    .values({
      workspaceId: built.workspace.id,
      name: "send_message",
      rawName: "send_message",
      title: "Send",
      description: "Sends",
      source: "mcp",
      effect: "write",
      inputSchema: { type: "object" },
      schemaHash: "0".repeat(64),
      family: "probe",
      concurrencySafe: true,
      defaultTier: "core",
      defaultTimeoutMs: 1_000,
    });
  const conversation = await buildConversation(built.agentKey);
  const reader = authorize(built.admin, "guard:read");
  const rule = (draft: object) => createRule(authorize(built.admin, "guard:write"), GuardRuleDraft.parse({ name: "Rule", ...draft }));
  const call = { tool: "send_message", arguments: { text: "hello" } };
  const inConversation = { ...call, context: EvaluatedContext.parse({ conversationId: conversation.id }) };
  return { ...built, conversation, reader, rule, call, inConversation };
}

test("a rule about the agent of a conversation matches when the conversation is named", async () => {
  const { conversation, reader, rule, call, inConversation } = await build();
  const [agent] = await db().select().from(agents).where(eq(agents.id, conversation.agentId));
  await rule({ tool: "send_message", verdict: "deny", context: { agents: [agent?.name ?? ""] } });
  const { trace } = await evaluateCall(reader, call);
  expect(
    trace.some(({ result }) => result === "could_not_evaluate"),
    "without a conversation the agent is not known",
  ).toBe(true);
  const evaluation = await evaluateCall(reader, inConversation);
  expect(evaluation).toMatchObject({ verdict: "deny", trace: [{ result: "matched" }] });
});

test.each([
  ["open", false],
  ["none", true],
] as const)("a host that an admin lets an MCP server reach is its calls' own, with the network %s: asked %s", async (network, isAsked) => {
  const { workspace, reader, inConversation } = await build();
  const server = { workspaceId: workspace.id, alias: "shop", transport: "stdio" as const, command: "shop", network };
  const [row] = await db().insert(mcpServers).values(server).returning();
  const id = row?.id ?? "";
  const ofTool = and(eq(tools.workspaceId, workspace.id), eq(tools.name, "send_message"));
  await db().update(tools).set({ mcpServerId: id }).where(ofTool);
  const call = { ...inConversation, arguments: { url: "redis://localhost:6379" } };
  const isAskedWith = async (allowedHosts: string[]) => {
    await db().transaction(async (tx) => {
      await tx.update(mcpServers).set({ allowedHosts }).where(eq(mcpServers.id, id));
      await bumpConfigVersion(tx, workspace.id);
    });
    const { detect } = await loadPolicy(workspace.id);
    const tool = await findGuardedTool(workspace.id, call.tool);
    const simulated = detect(analyzeCall({ tool, arguments: call.arguments, context: { interactive: true } }));
    const [now, then] = [await evaluateCall(reader, call), simulated].map(({ findings }) =>
      findings.some(({ detector }) => detector === "network.private"),
    );
    expect(then, "a simulation finds the same").toBe(now);
    return now;
  };
  expect(await isAskedWith([])).toBe(true);
  expect(await isAskedWith(["localhost:5432", "*.internal:6379"])).toBe(true);
  expect(await isAskedWith(["localhost:6379"])).toBe(isAsked);
});

test("whether a person can be asked is read from the conversation", async () => {
  const { conversation, reader, rule, inConversation } = await build();
  await rule({ tool: "send_message", verdict: "deny", context: { interactive: false } });
  expect((await evaluateCall(reader, inConversation)).verdict).not.toBe("deny");
  await db().update(conversations).set({ interactive: false }).where(eq(conversations.id, conversation.id));
  conversationChanged(conversation.id);
  expect((await evaluateCall(reader, inConversation)).verdict).toBe("deny");
});

test("a refusal of the conversation is told, and one of another conversation is not", async () => {
  const { workspace, conversation, reader, rule, call, inConversation, agentKey } = await build();
  await rule({ tool: "send_message", verdict: "allow" });
  const digest = computeCallDigest({ tool: await findGuardedTool(workspace.id, call.tool), arguments: call.arguments });
  const refusal = { callId: newId(), tool: call.tool, digest, touches: [], by: "person" as const, reason: "", at: 0 };
  await db()
    .update(conversations)
    .set({ refusals: [refusal] })
    .where(eq(conversations.id, conversation.id));
  const { reason } = await evaluateCall(reader, inConversation);
  expect(reason).toContain("A person refused send_message earlier in this conversation");
  const other = await buildConversation(agentKey);
  expect((await evaluateCall(reader, { ...call, context: { conversationId: other.id } })).reason).not.toContain("refused");
});

test("a grant of the conversation counts", async () => {
  const { conversation, reader, rule, call, inConversation, admin } = await build();
  await rule({ tool: "send_message", verdict: "require_approval", priority: 1 });
  const match = { kind: "exact", arguments: call.arguments };
  const draft = GrantDraft.parse({ tool: "send_message", match, scope: "conversation", scopeId: conversation.id, maxSeverity: "medium" });
  await createGrant(authorize(admin, "approvals:decide"), draft);
  expect((await evaluateCall(reader, call)).verdict).toBe("require_approval");
  expect((await evaluateCall(reader, inConversation)).verdict).toBe("allow");
});

test("another workspace's conversation does not exist", async () => {
  const { reader, call } = await build();
  const { conversation } = await build();
  const asked = evaluateCall(reader, { ...call, context: { conversationId: conversation.id } });
  await expect(asked).rejects.toMatchObject({ code: "not_found" });
});

test("a conversation and what it says already are not both taken", () => {
  const parsed = EvaluatedContext.safeParse({ conversationId: newId(), agent: "other" });
  expect(parsed.error?.issues).toMatchObject([{ path: ["conversationId"], message: expect.stringContaining("leave out agent") }]);
});

test("a tool with an escalate word asks without a pipeline, and is denied with the words of a call where one is set up", async () => {
  const { workspace, admin, reader, rule, call } = await build();
  await rule({ tool: "send_message", verdict: "allow" });
  const asking = await evaluateCall(reader, call);
  expect(asking).toMatchObject({ verdict: "require_approval", findings: [{ detector: "mcp.sensitive_verb" }] });
  expect(asking.reason).toContain('"send"');
  await db().transaction(async (tx) => {
    const { id: workspaceId } = workspace;
    await tx.insert(delegates).values({ workspaceId, url: "https://pipeline.example.com" });
    await recordConfigChange(tx, { workspaceId, event: "delegate.updated", actor: toActorRef(admin), subject: null, requestId: null });
  });
  expect(await evaluateCall(reader, call)).toMatchObject({
    verdict: "deny",
    reason:
      '"send_message" moves funds or needs a signature and cannot be called directly; use core_execute with a clear description of the task.',
  });
});

test("an evaluation says what the call does, and whether its programs would run in the sandbox", async () => {
  const { workspace, reader, conversation } = await build();
  await buildRecordedTools(workspace.id);
  const { isOn } = sandboxStatus();
  const body = { tool: "shell_execute", arguments: { command: "touch a; cat /etc/group" } };
  for (const context of [undefined, EvaluatedContext.parse({ conversationId: conversation.id })])
    expect(await evaluateCall(reader, { ...body, ...(context ? { context } : {}) })).toMatchObject({
      verdict: "require_approval",
      sandboxed: isOn,
      effects: [
        { kind: "read", target: { where: "outside", path: "/etc/group" } },
        { kind: "write", target: { where: "inside", path: "a" } },
      ],
    });
});

describe("a call outside any conversation", () => {
  let built: BuiltWorkspace;
  const draft = { name: "", tool: "shell_execute", pattern: "^(mkdir|touch|ls|cat)\\b", verdict: "allow" };
  const hours = (from: string, to: string): RuleContext["time"] => ({ days: [], from, to, zone: "UTC" });
  const save = (rule: object) => createRule(authorize(built.admin, "guard:write"), GuardRuleDraft.parse({ ...draft, ...rule }));
  beforeEach(async () => {
    built = await buildWorkspace();
    await buildRecordedTools(built.workspace.id);
  });
  const evaluate = (tool: string, args: JsonObject) => evaluateCall(authorize(built.admin, "guard:read"), { tool, arguments: args });

  test("says what would be decided and what a pattern would see", async () => {
    const rule = await save({ name: "Looking around" });
    expect(await evaluate("shell_execute", { command: "ls -la" })).toEqual({
      tool: "shell_execute",
      seen: "ls -la",
      verdict: "allow",
      reason: 'Rule "Looking around" allows this call of shell_execute.',
      ruleId: rule.id,
      findings: [],
      trace: [{ ruleId: rule.id, ruleName: "Looking around", result: "matched", why: "The command `ls -la` matches the pattern." }],
      policyVersion: 2,
      effects: [
        { kind: "read", target: { where: "inside", path: "." }, namesOnly: true, evidence: { argument: "/command", start: 0, end: 2 } },
      ],
      sandboxed: sandboxStatus().isOn,
    });
  });

  test("resolves an alias, and shows findings of the floor", async () => {
    const { tool, verdict, findings } = await evaluate("bash", { command: "sudo rm -rf /" });
    expect({ tool, verdict }).toEqual({ tool: "shell_execute", verdict: "deny" });
    expect(findings).toMatchObject([{ detector: "floor.recursive_delete", severity: "critical", excerpt: "rm -rf /" }]);
  });

  test.each<[what: string, asks: Partial<RuleContext>, context: Partial<EvaluatedContext> | undefined, result: string]>([
    ["an agent that is named", { agents: ["Helper"] }, { agent: "Helper" }, "matched"],
    ["another agent", { agents: ["Helper"] }, { agent: "Scout" }, "not_matched"],
    ["an agent that nobody named", { agents: ["Helper"] }, undefined, "could_not_evaluate"],
    ["a channel", { channels: ["slack"] }, { channel: "slack" }, "matched"],
    ["a person, where nothing is said", { interactive: true }, undefined, "matched"],
    ["where nobody can be asked", { interactive: true }, { interactive: false }, "not_matched"],
    ["a time in the window", { time: hours("09:00", "10:00") }, { at: "2026-03-02T09:30:00Z" }, "matched"],
    ["a time after the window", { time: hours("09:00", "10:00") }, { at: "2026-03-02T10:00:00Z" }, "not_matched"],
    ["now, where nothing is said", { time: hours("00:00", "00:00") }, undefined, "matched"],
  ])("tells a rule that the call comes from %s", async (_what, asks, context, result) => {
    await save({ name: "From there", context: RuleContext.parse(asks) });
    const body = { tool: "bash", arguments: { command: "ls" }, ...(context && { context: EvaluatedContext.parse(context) }) };
    const { trace } = await evaluateCall(authorize(built.admin, "guard:read"), body);
    expect(trace.map((step) => step.result)).toEqual([result]);
  });

  test("is asked by an operator, to whom every tool is open", async () => {
    await db()
      .update(tools)
      .set({ requiredTrust: "operator" })
      .where(and(eq(tools.workspaceId, built.workspace.id), eq(tools.name, "read_file")));
    expect((await evaluate("read_file", { path: "a" })).verdict).toBe("allow");
  });

  test("of a tool that does not exist, or of another workspace, is not found", async () => {
    await expect(evaluate("no_such_tool", {})).rejects.toMatchObject({
      code: "not_found",
      message: "There is no tool named no_such_tool. The list of tools has every name.",
    });
    await expect(evaluate("\ud800", {})).rejects.toMatchObject({ code: "not_found" });
    const other = await buildWorkspace();
    await db().insert(tools).values({
      workspaceId: other.workspace.id,
      name: "theirs",
      title: "",
      description: "",
      source: "builtin",
      rawName: "x",
      family: "f",
      effect: "read",
      concurrencySafe: true,
      inputSchema: {},
      schemaHash: "",
      defaultTier: "core",
      defaultTimeoutMs: 1,
    });
    await expect(evaluate("theirs", {})).rejects.toMatchObject({ code: "not_found" });
  });
});
