import { and, eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { agents, approvals, conversations, guardRules, runs, toolCalls, tools, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { getApproval } from "@/server/approvals/get-approval";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { awaitChildRun } from "@/server/runs/await-child-run";
import { cancelRun } from "@/server/runs/cancel-run";
import { waitForRun } from "@/server/runs/read/wait-for-run";
import { cancelOrphanedChildren } from "@/server/runs/recover-runs";
import { startChildRun } from "@/server/runs/starts/start-child-run";
import { type AgentRequest, useAgents } from "@/server/testing/models/agents-at-work";
import { calling, rowOf, saying, start, transcriptOf, useRunStage } from "@/server/testing/models/run-stage";
import { approverActor, neverAborted, runtimeActor, submitCalls } from "@/server/testing/stage";
import { activeTurns } from "@/server/turns/active-turns";
import { recoverTurns } from "@/server/turns/recovery/recover-turns";
import { removeConversation } from "@/server/turns/remove-conversation";
import { updateDelegationSettings } from "./settings";

const stage = useRunStage();

const admin = () => requirePermission(stage.built.admin, "agents:write");
const handing = (agentName: string, task: string) => calling(["delegate", { agentName, task }]);
/** Hands a task over with the first reply, and repeats the result as the answer. */
const passOn =
  (agentName: string, task: string) =>
  ({ place, last }: AgentRequest) =>
    place === 0 ? handing(agentName, task) : saying(`I heard ${last.replace("tool: ", "")}`);

const children = () =>
  db()
    .select({ run: runs, conversation: conversations })
    .from(runs)
    .innerJoin(conversations, eq(conversations.id, runs.conversationId))
    .where(and(eq(conversations.origin, "delegate"), eq(conversations.workspaceId, stage.built.workspace.id)))
    .orderBy(runs.id);

const onlyChild = () =>
  vi.waitFor(async () => {
    const [child] = await children();
    if (!child) throw new Error("no child yet");
    return child;
  });

const pendingApproval = () =>
  vi.waitFor(async () => {
    const [row] = await db()
      .select()
      .from(approvals)
      .where(and(eq(approvals.status, "pending"), eq(approvals.workspaceId, stage.built.workspace.id)));
    if (!row) throw new Error("nobody was asked yet");
    return row;
  });

test("an agent hands a task to another one, whose answer is the result of the call", async () => {
  await useAgents(stage, { default: passOn("coder", "Write a haiku"), coder: () => saying("Five, seven, five.") });
  const run = await start(stage, "Have a haiku written");
  expect(run).toMatchObject({ status: "succeeded", answer: "I heard Five, seven, five." });
  const { run: child, conversation } = await onlyChild();
  expect(await transcriptOf(child.id)).toEqual(["user: Write a haiku", "assistant: Five, seven, five."]);
  const [call] = await db().select().from(toolCalls).where(eq(toolCalls.name, "delegate"));
  expect(child).toMatchObject({ depth: 1, awaitedBy: call?.id, requestedBy: { id: stage.built.agentKey.id } });
  expect(conversation).toMatchObject({
    parentConversationId: stage.conversationId,
    parentCallId: call?.id,
    rootConversationId: stage.conversationId,
    delegators: [{ agentId: stage.built.agent.id, agent: "default", conversationId: stage.conversationId }],
  });
});

test("a repeated call finds the child that it started before, and a task is never done twice", async () => {
  const { ids } = await useAgents(stage, { default: passOn("coder", "Once"), coder: () => saying("Done.") });
  await start(stage, "Go");
  const { run: child, conversation } = await onlyChild();
  const again = await startChildRun({
    workspaceId: child.workspaceId,
    parent: { conversationId: stage.conversationId, callId: conversation.parentCallId ?? "" },
    requestedBy: child.requestedBy,
    agentId: ids.coder ?? "",
    message: "Once",
    isAwaited: true,
  });
  expect(again).toEqual({ runId: child.id, conversationId: conversation.id });
  expect(await children()).toHaveLength(1);
});

test("a call that runs again on another replica waits for the child that it started before", async () => {
  await useAgents(stage, {
    default: passOn("coder", "Change it"),
    coder: ({ place }) => (place === 0 ? calling(["change", { text: "it" }]) : saying("Changed.")),
  });
  const started = await start(stage, "Go", { wait: 0 });
  const row = await pendingApproval();
  const [turn] = await db()
    .update(turns)
    .set({ claimedBy: newId() })
    .where(and(eq(turns.conversationId, stage.conversationId), eq(turns.status, "running")))
    .returning();
  activeTurns().delete(turn?.id ?? "");
  await recoverTurns();
  await decideApproval(approverActor(stage), row.id, { decision: "approve", comment: "" });
  expect(await awaitChildRun(started.id, { signal: neverAborted })).toMatchObject({ status: "succeeded", answer: "I heard Changed." });
  expect(await children()).toHaveLength(1);
  expect(stage.log).toEqual(["change it"]);
});

test("an approval two levels below names everybody who asked, and the parents go on after the decision", async () => {
  await useAgents(stage, {
    default: passOn("coder", "Change it"),
    coder: passOn("tester", "Change it now"),
    tester: ({ place }) => (place === 0 ? calling(["change", { text: "it" }]) : saying("Changed.")),
  });
  const run = start(stage, "Change it");
  const row = await pendingApproval();
  const approval = await getApproval(requirePermission(stage.built.approver, "approvals:read"), row.id);
  expect(approval.agent).toBe("tester");
  expect(approval.delegators.map(({ agent }) => agent)).toEqual(["coder", "default"]);
  expect(approval.requestedBy.id).toBe(stage.built.agentKey.id);
  await decideApproval(approverActor(stage), row.id, { decision: "approve", comment: "" });
  expect(await run).toMatchObject({ status: "succeeded", answer: "I heard I heard Changed." });
  expect(stage.log).toEqual(["change it"]);
  const waited = (await children()).map(({ run: { depth } }) => depth);
  expect(waited).toEqual([1, 2]);
});

test("delegation ends after three levels with a sentence for the model", async () => {
  const deeper = (to: string) => passOn(to, "Go deeper");
  await useAgents(stage, { default: deeper("one"), one: deeper("two"), two: deeper("three"), three: deeper("one") });
  const run = await start(stage, "Go");
  expect(run.answer).toContain("Delegation is limited to 3 levels");
  expect(await children()).toHaveLength(3);
});

test("cancelling the parent's run cancels its children", async () => {
  await useAgents(stage, { default: passOn("coder", "Hold"), coder: () => calling(["change", { text: "it" }]) });
  const started = await start(stage, "Go", { wait: 0 });
  await pendingApproval();
  await cancelRun(runtimeActor(stage), started.id, neverAborted);
  const { run: child } = await onlyChild();
  expect(await waitForRun(child.id, 10, neverAborted)).toMatchObject({ status: "cancelled" });
  expect(await waitForRun(started.id, 10, neverAborted)).toMatchObject({ status: "cancelled" });
  expect(stage.log).toEqual([]);
});

test("a child whose waiting call has ended without it is cancelled", async () => {
  const { ids } = await useAgents(stage, { default: () => saying(""), coder: () => calling(["change", { text: "it" }]) });
  const turn = await submitCalls(stage, [["look", { text: "a" }]]);
  const { runId } = await startChildRun({
    workspaceId: stage.built.workspace.id,
    parent: { conversationId: stage.conversationId, callId: turn.calls[0]?.callId ?? "" },
    requestedBy: stage.built.agentKey,
    agentId: ids.coder ?? "",
    message: "Hold",
    isAwaited: true,
  });
  await pendingApproval();
  await cancelOrphanedChildren();
  expect(await waitForRun(runId, 10, neverAborted)).toMatchObject({ status: "cancelled" });
  expect(stage.log).toEqual(["look a"]);
});

test("removing a conversation ends and removes the conversations below it", async () => {
  await useAgents(stage, { default: passOn("coder", "Hold"), coder: () => calling(["change", { text: "it" }]) });
  await start(stage, "Go", { wait: 0 });
  await pendingApproval();
  await removeConversation(runtimeActor(stage), stage.conversationId);
  expect(await children()).toEqual([]);
});

test("a child never may do more than the agents above it", async () => {
  await useAgents(
    stage,
    {
      default: passOn("coder", "Change it"),
      coder: ({ place, last }) => (place === 0 ? calling(["look", { text: "all" }]) : saying(last)),
    },
    { default: { allowedEffects: ["read", "write"] } },
  );
  await db().update(tools).set({ effectOverride: "destroy" }).where(eq(tools.name, "look"));
  await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
  const run = await start(stage, "Go");
  expect(run.answer).toContain("the agent default may only use tools that can read or write");
  expect(stage.log).toEqual([]);
});

test("a tool that is for operators and gateways is refused to a child, and the refusal says that it is a child", async () => {
  await useAgents(stage, {
    default: passOn("coder", "Look"),
    coder: ({ place, last }) => (place === 0 ? calling(["look", { text: "a" }]) : saying(last)),
  });
  await db().update(tools).set({ requiredTrust: "gateway" }).where(eq(tools.name, "look"));
  await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
  expect((await start(stage, "Go")).answer).toContain("child agents may not use look");
  expect(stage.log).toEqual([]);
});

test("the text of a denied call, a blank name and an unknown agent say what to do", async () => {
  await useAgents(stage, { default: () => saying(""), coder: () => saying("") }, { coder: {} });
  await db()
    .insert(guardRules)
    .values({ workspaceId: stage.built.workspace.id, name: "r", tool: "nothing", verdict: "deny", priority: 1, reason: "x" });
  const turn = await submitCalls(stage, [
    ["delegate", { agentName: " ", task: "x" }],
    ["delegate", { agentName: "coder", task: "" }],
    ["delegate_to_agent", { agent_name: "nobody", prompt: "x" }],
    ["delegate", { agentName: "coder" }],
    ["delegate", { agentName: "default", task: "x" }],
    ["delegate", { agentName: "coder", task: "x".repeat(100_001) }],
  ]);
  expect(turn.calls.map(({ content }) => content)).toEqual([
    expect.stringContaining("Name the agent to delegate to."),
    expect.stringContaining("Describe the task."),
    'There is no enabled agent named "nobody". You may ask: coder.',
    expect.stringContaining("Describe the task."),
    'You are "default" yourself; spawn hands a task to a copy of you. You may ask: coder.',
    expect.stringContaining("A task has at most 100,000 characters."),
  ]);
});

test("an agent asks only the agents that an admin marked and that are its own choice", async () => {
  const { ids } = await useAgents(
    stage,
    { default: () => saying(""), coder: () => saying(""), secret: () => saying(""), tester: () => saying("") },
    { secret: { mayBeAsked: false } },
  );
  const listed = async () => (await submitCalls(stage, [["list_available_agents"]])).calls[0]?.content ?? "";
  expect(JSON.parse(await listed())).toEqual([
    { name: "coder", type: "agent", description: "Does coder work" },
    { name: "tester", type: "agent", description: "Does tester work" },
  ]);
  await db()
    .update(agents)
    .set({ delegates: [ids.tester ?? "", ids.secret ?? ""] })
    .where(eq(agents.id, stage.built.agent.id));
  expect(JSON.parse(await listed())).toEqual([{ name: "tester", type: "agent", description: "Does tester work" }]);
  const refused = await submitCalls(stage, [["delegate", { agentName: "coder", task: "x" }]]);
  expect(refused.calls[0]?.content).toBe('There is no enabled agent named "coder". You may ask: tester.');
});

test("a paused workspace hands nothing on, and says so", async () => {
  await useAgents(stage, { default: () => saying(""), coder: () => saying("") });
  await updateDelegationSettings(admin(), { paused: true }, null);
  const turn = await submitCalls(stage, [["delegate", { agentName: "coder", task: "x" }]]);
  expect(turn.calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("is paused in this workspace") });
  expect(await children()).toEqual([]);
});

test("a child reads the last messages of its parent only when the call says so", async () => {
  const seen: string[] = [];
  await useAgents(stage, {
    default: ({ place, last }) =>
      place === 0 ? calling(["delegate", { agentName: "coder", task: "Go on", inheritParentContext: true }]) : saying(last),
    coder: ({ last }) => {
      seen.push(last);
      return saying("Fine.");
    },
  });
  await start(stage, `The plan is green. ${"x".repeat(2_000)}`);
  expect(seen[0]).toContain("[user] The plan is green.");
  expect(seen[0]).toMatch(/Your task:\nGo on$/);
  expect(seen[0]?.length).toBeLessThan(1_300);
});

test("a long answer is cut at 4,000 characters, and the whole of it is an artifact", async () => {
  await useAgents(stage, { default: () => saying(""), coder: () => saying("word ".repeat(2_000)) });
  const turn = await submitCalls(stage, [["delegate", { agentName: "coder", task: "x" }]]);
  expect(turn.calls[0]?.content.length).toBeLessThanOrEqual(4_000);
  expect(turn.calls[0]?.truncated).toMatchObject({ originalChars: 10_000, artifactId: expect.any(String) });
});

test("the time for which a child waits for people is added to its parents' time", async () => {
  await useAgents(
    stage,
    {
      default: passOn("coder", "Change it"),
      coder: ({ place }) => (place === 0 ? calling(["change", { text: "it" }]) : saying("Changed.")),
    },
    { default: { runLimits: { steps: 50, tokens: 1_000_000, costUsd: null, seconds: 600, contextTokens: 100_000, concurrentRuns: 10 } } },
  );
  const started = await start(stage, "Go", { wait: 0 });
  const row = await pendingApproval();
  const { run: child } = await onlyChild();
  await vi.waitFor(async () => expect(await rowOf(child.id)).toMatchObject({ status: "waiting" }));
  const before = await rowOf(started.id);
  await db()
    .update(runs)
    .set({ waitingSince: new Date(Date.now() - 3_600_000) })
    .where(eq(runs.id, child.id));
  await decideApproval(approverActor(stage), row.id, { decision: "approve", comment: "" });
  expect(await awaitChildRun(started.id, { signal: neverAborted })).toMatchObject({ status: "succeeded" });
  const moved = (await rowOf(started.id)).deadlineAt.getTime() - before.deadlineAt.getTime();
  expect(moved).toBeGreaterThanOrEqual(3_600_000);
});

test("a run whose time is up while its child waits for people ends only after they have decided", async () => {
  const limits = { steps: 50, tokens: 1_000_000, costUsd: null, seconds: 2, contextTokens: 100_000, concurrentRuns: 10 };
  await useAgents(
    stage,
    {
      default: passOn("coder", "Change it"),
      coder: ({ place }) => (place === 0 ? calling(["change", { text: "it" }]) : saying("Changed.")),
    },
    { default: { runLimits: limits } },
  );
  const started = await start(stage, "Go", { wait: 0 });
  const row = await pendingApproval();
  const isOverdue = sql`${runs.deadlineAt} + interval '1 second' < now()`;
  await vi.waitFor(async () => expect(await db().$count(runs, and(eq(runs.id, started.id), isOverdue))).toBe(1), { interval: 100 });
  expect(await rowOf(started.id)).toMatchObject({ status: "running" });
  await decideApproval(approverActor(stage), row.id, { decision: "approve", comment: "" });
  expect(await awaitChildRun(started.id, { signal: neverAborted })).toMatchObject({ status: "succeeded", answer: "I heard Changed." });
});
