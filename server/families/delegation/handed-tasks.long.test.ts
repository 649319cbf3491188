import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { AgentDraft } from "@/contracts/agents/agents";
import { agentTools, approvals, jobs, tools } from "@/db/schema";
import { createAgent } from "@/server/agents/create-agent";
import { removeAgent } from "@/server/agents/remove-agent";
import { updateAgent } from "@/server/agents/update-agent";
import { decideApproval } from "@/server/approvals/decide-approval";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { buildConversation } from "@/server/testing/builders";
import { useAgents } from "@/server/testing/models/agents-at-work";
import { calling, saying, sentTools, useRunStage } from "@/server/testing/models/run-stage";
import { approverActor, neverAborted, runtimeActor, submitCalls } from "@/server/testing/stage";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { submitTurn } from "@/server/turns/submit-turn";
import { getConversationDelegation } from "./conversation-delegation";
import { updateDelegationSettings } from "./settings";

const stage = useRunStage();
const admin = () => requirePermission(stage.built.admin, "agents:write");
const reader = () => requirePermission(stage.built.agentKey, "tools:read");

/** Calls one tool in the stage's conversation and returns the call's result. */
async function callTool(name: string, args: object) {
  const turn = await submitCalls(stage, [[name, args as never]], { wait: 20 });
  const [call] = turn.calls;
  if (!call) throw new Error("the turn has no call");
  return call;
}

const json = async (name: string, args: object) => JSON.parse((await callTool(name, args)).content);

test("a batch counts its ends, and a failing task holds up none of the others", async () => {
  await useAgents(stage, { default: () => saying(""), coder: ({ last }) => saying(`did ${last.replace("user: ", "")}`) });
  const { content, status } = await callTool("delegateParallel", {
    tasksJson: JSON.stringify([
      { agentName: "coder", task: "one", label: "first" },
      { agentName: "nobody", task: "two" },
      { agentName: "coder", task: "three" },
    ]),
  });
  expect(status).toBe("succeeded");
  expect(content.split("\n")[0]).toBe("[PARALLEL_DELEGATION_RESULT] total=3 success=2 blank_success=0 timeout=0 cancelled=0 error=1");
  expect(content).toContain("## 1. coder: first (success)\ndid one");
  expect(content).toContain('## 2. nobody (error)\nThere is no enabled agent named "nobody".');
  expect(content).toContain("## 3. coder (success)\ndid three");
});

test("a slow child of a batch ends at the batch's time, and the answers of the others are there", async () => {
  const { promise: holdsUntil, resolve: release } = Promise.withResolvers<void>();
  await useAgents(stage, {
    default: () => saying(""),
    coder: () => saying("quick"),
    tester: () => ({ ...saying("never"), holdsUntil }),
  });
  await db().update(tools).set({ timeoutMs: 2_000 }).where(eq(tools.name, "delegate_parallel"));
  await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
  const tasks = ["tester", "coder"].map((agentName) => ({ agentName, task: "x" }));
  const { content } = await callTool("delegate_parallel", { tasks });
  release();
  expect(content.split("\n")[0]).toBe("[PARALLEL_DELEGATION_RESULT] total=2 success=1 blank_success=0 timeout=1 cancelled=0 error=0");
  expect(content).toContain("tester did not finish within 2 seconds.");
  expect(content).toContain("## 2. coder (success)\nquick");
});

test("a batch takes at most 8 tasks, and says which text is no list of tasks", async () => {
  await useAgents(stage, { default: () => saying(""), coder: () => saying("x") });
  const task = { agentName: "coder", task: "x" };
  const contents = await Promise.all(
    [{ tasks: Array(9).fill(task) }, { tasksJson: "[{" }, { tasksJson: "[]" }, {}, { tasksJson: '[{"agentName":"coder"}]' }].map(
      async (args) => (await callTool("delegate_parallel", args)).content,
    ),
  );
  expect(contents).toEqual([
    expect.stringContaining("A batch has at most 8 tasks."),
    expect.stringContaining("tasksJson is no valid JSON"),
    expect.stringContaining("Send at least one task."),
    expect.stringContaining("Send at least one task."),
    expect.stringContaining("0.task: missing required param: task. Describe the task."),
  ]);
});

test("a task that was handed over without waiting is followed by its id, and continued in its conversation", async () => {
  await useAgents(stage, {
    default: () => saying(""),
    coder: ({ last, place }) => (place === 0 ? calling(["change", { text: "it" }]) : saying(`heard ${last}`)),
  });
  const handed = await json("delegateAsync", { agentName: "coder", task: "Change it", label: "the change" });
  expect(handed).toMatchObject({ agent_name: "coder", status: "running", hint: expect.stringContaining("task_output") });
  const approval = await vi.waitFor(async () => {
    const [row] = await db().select().from(approvals).where(eq(approvals.status, "pending"));
    if (!row) throw new Error("nobody was asked yet");
    return row;
  });
  await vi.waitFor(async () => {
    expect(await json("task_output", { taskId: handed.task_id, block: false })).toMatchObject({
      status: "waiting_for_approval",
      progress: "coder waits for a person's approval",
      error: null,
    });
  });
  await decideApproval(approverActor(stage), approval.id, { decision: "approve", comment: "" });
  const done = await json("taskOutput", { task_id: handed.task_id, timeoutSeconds: 20 });
  expect(done).toMatchObject({ status: "completed", result: "heard tool: changed it", task_id: handed.task_id });
  const more = await callTool("tool_call", { toolName: "send_to_subagent", arguments: { taskId: handed.task_id, message: "And now?" } });
  expect(more.content).toBe("heard user: And now?");
  const { children } = await getConversationDelegation(requirePermission(stage.built.agentKey, "turns:read"), stage.conversationId);
  expect(children.map(({ conversationId, status, task }) => [conversationId, status, task])).toEqual([
    [handed.child_conversation_id, "succeeded", "And now?"],
    [handed.child_conversation_id, "succeeded", "Change it"],
  ]);
});

test("a task of another conversation is refused, and one that never was is not found", async () => {
  await useAgents(stage, { default: () => saying(""), coder: () => saying("Done.") });
  const handed = await json("delegate_async", { agentName: "coder", task: "x" });
  const { id } = await buildConversation(stage.built.agentKey);
  const calls = [handed.task_id, "0190f7a4-0000-7000-8000-000000000001", "x'; drop table runs"].map((taskId, index) => ({
    id: `c${index}`,
    name: "task_output",
    arguments: { taskId },
  }));
  const turn = await submitTurn(runtimeActor(stage), {
    conversationId: id,
    draft: { calls, wait: 10, afterUserMessage: false },
    idempotencyKey: null,
    signal: neverAborted,
  });
  expect(turn.calls.map(({ content }) => content.split("\n")[0])).toEqual([
    "Forbidden: task does not belong to current conversation",
    "Task not found: 0190f7a4-0000-7000-8000-000000000001",
    "Task not found: x'; drop table runs",
  ]);
});

test("a spawned copy has only the given tools, and its answer comes in an envelope", async () => {
  const { server } = await useAgents(stage, {
    default: ({ place }) => (place === 0 ? calling(["look", { text: "a" }], ["change", { text: "b" }]) : saying("Looked.")),
  });
  const call = await callTool("tool_call", { toolName: "spawn", arguments: { task: "Look", tools: ["look", "spawn", "nothing"] } });
  expect(JSON.parse(call.content)).toMatchObject({
    status: "done",
    summary: "Looked.",
    output_kind: "text",
    output_schema: "subtask.spawn.result.v1",
    output: "Looked.",
    error: "",
  });
  const [first] = server.requests;
  const offered = first ? sentTools(first) : [];
  expect(offered).toContain("look");
  expect(offered.filter((name) => !["look", "read_artifact", "read_result"].includes(name))).toEqual([]);
  expect(stage.log).toEqual(["look a"]);
});

test("a spawned answer is checked against its schema, and repaired once", async () => {
  const schema = { type: "object", properties: { sum: { type: "integer" } }, required: ["sum"] };
  await useAgents(stage, {
    default: ({ place }) => saying(['{"sum":"three"}', '```json\n{"sum":3}\n```', "no", "still no"][place] ?? ""),
  });
  const ask = async () => {
    const args = { task: "Add", tools: ["look"], output_schema: schema };
    return JSON.parse((await callTool("tool_call", { toolName: "spawn", arguments: args })).content);
  };
  expect(await ask()).toMatchObject({ status: "done", output_kind: "json", output: { sum: 3 } });
  expect(await ask()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("does not fit output_schema: the answer is no JSON"),
  });
});

test("spawn without tools, with foreign tools or with an unknown model says what is wrong", async () => {
  await useAgents(stage, { default: () => saying("x") });
  const spawning = async (args: object) => (await callTool("tool_call", { toolName: "spawn", arguments: { task: "x", ...args } })).content;
  expect(await spawning({})).toContain("missing required param: tools (must be a non-empty array of tool names)");
  expect(await spawning({ tools: [] })).toContain("missing required param: tools (must be a non-empty array of tool names)");
  expect(await spawning({ tools: ["spawn", "rm_rf"] })).toBe("none of the requested tools are available in the parent registry");
  expect(await spawning({ tools: ["look"], model: "gpt-99" })).toBe('There is no model named "gpt-99". There are: test-model.');
  expect(await spawning({ tools: ["look"], output_schema: "{" })).toContain("output_schema is no valid JSON");
});

test("an agent that is offered as a tool is one for the agents that tick it, in the foreground and in the background", async () => {
  const { ids } = await useAgents(stage, { default: () => saying(""), coder: ({ last }) => saying(`did ${last}`) });
  const coder = AgentDraft.parse({ name: "coder", description: "Writes code.", offeredAsTool: true });
  await updateAgent(admin(), ids.coder ?? "", coder, null);
  const names = async () => JSON.stringify((await listConversationTools(reader(), stage.conversationId, "handrail")).tools);
  expect(await names()).not.toContain("agent_coder");
  await db()
    .insert(agentTools)
    .values(["agent_coder", "look"].map((toolName) => ({ agentId: stage.built.agent.id, toolName })));
  await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
  expect(await names()).toContain("agent_coder");
  expect((await callTool("agent_coder", { task: "this" })).content).toBe("did user: this");
  const sent = await callTool("agent_coder", { task: "that", runInBackground: true });
  expect(sent.status).toBe("succeeded");
  await vi.waitFor(async () =>
    expect((await db().select().from(jobs))[0]).toMatchObject({ status: "succeeded", content: "did user: that" }),
  );
  await updateAgent(admin(), ids.coder ?? "", { ...coder, name: "builder" }, null);
  const ticks = await db().select({ name: agentTools.toolName }).from(agentTools).where(eq(agentTools.agentId, stage.built.agent.id));
  expect(ticks.map(({ name }) => name).sort()).toEqual(["agent_builder", "look"]);
  await updateAgent(admin(), ids.coder ?? "", { ...coder, name: "builder", offeredAsTool: false }, null);
  expect(await db().select().from(tools).where(eq(tools.source, "agent"))).toEqual([]);
});

test("an agent cannot be offered under the name of another tool, and its tool goes with it", async () => {
  await useAgents(stage, { default: () => saying("") });
  const first = await createAgent(admin(), AgentDraft.parse({ name: "a_b", offeredAsTool: true }));
  await expect(createAgent(admin(), AgentDraft.parse({ name: "a__b", offeredAsTool: true }))).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("cannot be offered as agent_a_b"),
  });
  await removeAgent(admin(), first.id, null);
  expect(await db().select().from(tools).where(eq(tools.source, "agent"))).toEqual([]);
});

test("only agents of the workspace can be chosen as delegates", async () => {
  const draft = AgentDraft.parse({ name: "x", delegates: ["0190f7a4-0000-7000-8000-000000000001"] });
  await expect(createAgent(admin(), draft)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path: "delegates.0" }] } });
});

test("agent programs are set only by somebody who may run programs, and the settings are audited", async () => {
  const acpAgents = [{ name: "gemini", command: "gemini", args: ["--acp"], description: "", environment: [], allowedHosts: [] }];
  const saved = await updateDelegationSettings(admin(), { acpAgents }, 0);
  expect(saved).toMatchObject({ paused: false, acpAgents, version: 1 });
  await expect(updateDelegationSettings(admin(), { paused: true }, 0)).rejects.toMatchObject({ code: "stale_version" });
  const permissions = new Set([...stage.built.admin.permissions].filter((permission) => permission !== "mcp:run"));
  const weaker = requirePermission({ ...stage.built.admin, permissions }, "agents:write");
  expect(await updateDelegationSettings(weaker, { paused: true, acpAgents }, 1)).toMatchObject({ paused: true });
  await expect(updateDelegationSettings(weaker, { acpAgents: [] }, null)).rejects.toMatchObject({
    code: "forbidden",
    message: expect.stringContaining("needs mcp:run"),
  });
});
