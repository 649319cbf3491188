import { expect, test, vi } from "vitest";
import { RunDraft } from "@/contracts/runs/runs";
import { removeAgent } from "@/server/agents/remove-agent";
import { onSignal } from "@/server/platform/signals/bus";
import { authorize, buildAgent, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { calling, giveModel, saying, start, useRunStage } from "@/server/testing/models/run-stage";
import { neverAborted, runtimeActor } from "@/server/testing/stage";
import { findRunTask } from "./active-runs";
import { cancelRun } from "./cancel-run";
import { getRun, listRunMessages, listRuns } from "./read/load-run";
import { isRunFullyStreamed, runFeed } from "./read/run-feed";
import { waitForRun } from "./read/wait-for-run";
import { startRun } from "./starts/start-run";

const stage = useRunStage();

test("the same request with the same key starts one run, and another request with it is refused", async () => {
  const server = await giveModel(stage, [saying("Once.")]);
  const twins = await Promise.all([1, 2].map(() => start(stage, "Hello", { idempotencyKey: "k" })));
  const later = await start(stage, "Hello", { idempotencyKey: "k" });
  expect(new Set([...twins, later].map(({ id }) => id)).size).toBe(1);
  expect(later).toMatchObject({ status: "succeeded", answer: "Once." });
  expect(server.requests).toHaveLength(1);
  await expect(start(stage, "Other", { idempotencyKey: "k" })).rejects.toMatchObject({ code: "idempotency_mismatch" });
});

test("a message to a conversation whose run has not ended is refused with the way out", async () => {
  await giveModel(stage, [calling(["change", { text: "it" }]), saying("Done.")]);
  const asked = await start(stage, "Change it");
  await expect(start(stage, "And this")).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("cancel") });
  await cancelRun(runtimeActor(stage), asked.id, neverAborted);
  expect(await start(stage, "And this")).toMatchObject({ status: "succeeded" });
});

test("an agent has at most its number of unfinished runs", async () => {
  await giveModel(stage, [calling(["change", { text: "it" }])], { runLimits: { concurrentRuns: 1 } });
  const draft = RunDraft.parse({ message: "Change it", wait: 20 });
  const submission = { agentId: stage.built.agent.id, draft, idempotencyKey: null, signal: neverAborted };
  const both = await Promise.allSettled([1, 2].map(() => startRun(runtimeActor(stage), submission)));
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "too_many_requests" } });
});

test("an agent without a model, another agent's conversation and another workspace's run are refused", async () => {
  await expect(start(stage, "Hello")).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("no model") });
  await giveModel(stage, [saying("Hello.")]);
  const other = await buildAgent(stage.built.workspace.id);
  const conversation = await buildConversation(stage.built.admin, { agentId: other.id });
  const admin = authorize(stage.built.admin, "turns:write");
  const draft = RunDraft.parse({ message: "Hello", conversationId: conversation.id });
  const submission = { draft, idempotencyKey: null, signal: neverAborted };
  await expect(startRun(admin, { ...submission, agentId: stage.built.agent.id })).rejects.toMatchObject({ code: "conflict" });
  await expect(startRun(runtimeActor(stage), { ...submission, agentId: other.id })).rejects.toMatchObject({ code: "forbidden" });
  const run = await start(stage, "Hello");
  const stranger = (await buildWorkspace()).admin;
  await expect(getRun(authorize(stranger, "turns:read"), run.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(cancelRun(authorize(stranger, "turns:write"), run.id, neverAborted)).rejects.toMatchObject({ code: "not_found" });
  expect(await listRuns(authorize(stranger, "turns:read"), {})).toEqual({ items: [], nextCursor: null });
});

test("an agent without models of its own takes those of the workspace, in the order of the providers", async () => {
  const server = await giveModel(stage, [saying("Hello.")]);
  const other = await buildAgent(stage.built.workspace.id);
  const draft = RunDraft.parse({ message: "Hello", wait: 20 });
  const admin = authorize(stage.built.admin, "turns:write");
  const run = await startRun(admin, { agentId: other.id, draft, idempotencyKey: null, signal: neverAborted });
  expect(run).toMatchObject({ status: "succeeded", models: [{ model: "test-model" }] });
  expect(server.requests).toHaveLength(1);
});

test("runs and messages are listed page by page", async () => {
  await giveModel(stage, [calling(["look", { text: "a" }]), saying("One."), saying("Two.")]);
  const first = await start(stage, "Look");
  const second = await start(stage, "Again");
  const reader = authorize(stage.built.viewer, "turns:read");
  const page = await listRuns(reader, { conversationId: stage.conversationId, limit: 1 });
  expect(page.items.map(({ id }) => id)).toEqual([second.id]);
  const rest = await listRuns(reader, { conversationId: stage.conversationId, limit: 1, cursor: page.nextCursor ?? "" });
  expect(rest).toMatchObject({ items: [{ id: first.id }], nextCursor: null });
  const start1 = await listRunMessages(reader, first.id, { limit: 3 });
  const start2 = await listRunMessages(reader, first.id, { limit: 3, cursor: start1.nextCursor ?? "" });
  expect([...start1.items, ...start2.items].map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(start1.items[2]).toMatchObject({ name: "look", callId: "call_0", text: "saw a", turnId: first.turnId });
});

test("a stream has thinking, text and messages as they come, and goes on after the last one that was seen", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await giveModel(stage, [{ reasoning: ["Hm."], text: ["Once upon"], holdsUntil: held }]);
  const run = await start(stage, "Tell me", { wait: 0 });
  await vi.waitFor(() => expect(findRunTask(run.id)?.partial?.text).toBe("Once upon"));
  const seen: [string, unknown][] = [];
  for await (const { event, data } of runFeed(run.id, 0, neverAborted)) {
    seen.push([event, (data as { text?: string }).text]);
    if (event === "text.delta") release();
  }
  expect(seen.map(([event]) => event).filter((event) => event !== "run.updated")).toEqual([
    "message.added",
    "reasoning.delta",
    "text.delta",
    "message.added",
    "run.finished",
  ]);
  expect(seen.find(([event]) => event === "text.delta")).toEqual(["text.delta", "Once upon"]);
  const later: string[] = [];
  for await (const { event, id = "" } of runFeed(run.id, 1, neverAborted)) later.push(`${event} ${id}`);
  expect(later).toEqual(["message.added 2", "run.finished "]);
  expect(isRunFullyStreamed({ status: "succeeded", messageCount: 2 }, 2)).toBe(true);
});

test("calls are streamed while the model writes them", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const call = { id: "1", name: "look", arguments: '{"text":"a long one"}' };
  await giveModel(stage, [{ toolCalls: [call], holdsUntil: held }, saying("Done.")]);
  const run = await start(stage, "Look", { wait: 0 });
  const written: string[] = [];
  for await (const { event, data } of runFeed(run.id, 0, neverAborted)) {
    if (event !== "call.delta") continue;
    const { index, name, text } = data as { index: number; name: string; text: string };
    written.push(text);
    expect([index, name]).toEqual([0, "look"]);
    if (written.join("") === call.arguments) release();
  }
  expect(written.join("")).toBe(call.arguments);
});

test("an agent with an unfinished run cannot be removed", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await giveModel(stage, [{ text: ["Hello."], holdsUntil: held }]);
  const other = await buildAgent(stage.built.workspace.id);
  const admin = authorize(stage.built.admin, "turns:write");
  const draft = RunDraft.parse({ message: "Hello" });
  const run = await startRun(admin, { agentId: other.id, draft, idempotencyKey: null, signal: neverAborted });
  const remove = () => removeAgent(authorize(stage.built.admin, "agents:write"), other.id, null);
  await expect(remove()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining(run.id) });
  release();
  await waitForRun(run.id, 10, neverAborted);
  await expect(remove()).resolves.toBeUndefined();
});

test("the first words of a reply are signalled as they come, and later ones together", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await giveModel(stage, [{ text: ["One ", "two ", "three ", "four"], holdsUntil: held }]);
  const texts: string[] = [];
  const off = onSignal("run", ({ runId, delta }) => {
    if (delta) texts.push(findRunTask(runId)?.partial?.text ?? "");
  });
  const run = await start(stage, "Count", { wait: 0 });
  await vi.waitFor(() => expect(texts.at(-1)).toBe("One two three four"));
  off();
  release();
  await waitForRun(run.id, 10, neverAborted);
  expect(texts[0]).toBe("One ");
  expect(texts.length).toBeLessThanOrEqual(3);
});
