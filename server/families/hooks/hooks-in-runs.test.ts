import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { hookRuns, modelProviders } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { hookRunsAtRest } from "@/server/hooks/record-runs";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { onSignal } from "@/server/platform/signals/bus";
import { findRunTask } from "@/server/runs/active-runs";
import { waitForRun } from "@/server/runs/read/wait-for-run";
import { authorize } from "@/server/testing/builders";
import { hookDraft } from "@/server/testing/hook-drafts";
import { startModelServer } from "@/server/testing/models/model-protocol-server";
import { calling, giveModel, rowOf, saying, sentTexts, start, transcriptOf, useRunStage } from "@/server/testing/models/run-stage";
import { neverAborted } from "@/server/testing/stage";
import { createHook } from "./create-hook";

const stage = useRunStage();

const addHook = (...[settings]: Parameters<typeof hookDraft>) =>
  createHook(authorize(stage.built.admin, "hooks:write"), hookDraft(settings));

async function stepsOf(conversationId: string) {
  await hookRunsAtRest();
  return db().select().from(hookRuns).where(eq(hookRuns.conversationId, conversationId)).orderBy(hookRuns.id);
}

test("before_llm adds to the prompt in the order of the hooks, hides what it must, and chooses another model", async () => {
  await addHook({ event: "before_llm", order: 2, action: { type: "redact", pattern: "Rose", replacement: "R." } });
  await addHook({
    event: "before_llm",
    order: 1,
    action: { type: "inject", pointer: "/messages/-", value: { role: "user", content: "Ask for Rose." } },
  });
  await addHook({ event: "before_llm", order: 3, action: { type: "set", pointer: "/model", value: "other-model" } });
  const server = await giveModel(stage, [calling(["look", { text: "a" }]), saying("Good.")], { instructions: "Be kind." });
  await db()
    .update(modelProviders)
    .set({ models: ["test-model", "other-model"].map((name) => ({ name, inputPrice: null, cachedInputPrice: null, outputPrice: null })) })
    .where(eq(modelProviders.workspaceId, stage.built.workspace.id));
  const run = await start(stage, "I am Rose.");
  expect(run).toMatchObject({ status: "succeeded", answer: "Good." });
  const [first, second] = server.requests;
  expect(first?.model).toBe("other-model");
  expect(first && sentTexts(first)).toEqual([expect.stringMatching(/^system: Be kind\./), "user: I am R..", "user: Ask for R.."]);
  expect(second && sentTexts(second).slice(-2)).toEqual(["tool: saw a", "user: Ask for R.."]);
  // The rows keep what people and tools said.
  expect(await transcriptOf(run.id)).toEqual(["user: I am Rose.", "assistant: look()", "tool: saw a", "assistant: Good."]);
  const steps = await stepsOf(run.conversationId);
  expect(steps.slice(0, 3).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    "inject changed",
    "redact changed",
    "set changed",
  ]);
});

test("a kept answer is given without the model, costs nothing, and passes the hooks of now", async () => {
  await addHook({ event: "before_llm", action: { type: "cache", scope: "agent" } });
  const server = await giveModel(stage, [{ text: ["The code is 1234."], usage: { input: 10, cached: 0, output: 5 } }]);
  const first = await start(stage, "Hello");
  expect(first.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
  await addHook({ event: "after_llm", action: { type: "redact", pattern: "[0-9]+" } });
  const second = await start(stage, "Hello", { conversationId: undefined });
  expect(second).toMatchObject({ status: "succeeded", answer: "The code is [redacted].", usage: { inputTokens: 0, outputTokens: 0 } });
  expect(server.requests).toHaveLength(1);
});

test("text that a hook may filter is shown to nobody before it was filtered, and its tokens are counted", async () => {
  await addHook({ event: "after_llm", action: { type: "redact", pattern: "secret" } });
  await addHook({ event: "after_llm", action: { type: "count_tokens" } });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const server = await giveModel(stage, [{ text: ["A secret", " word"], holdsUntil: held }]);
  const deltas: string[] = [];
  const off = onSignal("run", ({ runId, delta }) => {
    if (delta) deltas.push(runId);
  });
  const { id } = await start(stage, "Hello", { wait: 0 });
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  expect(findRunTask(id)?.partial).toBeNull();
  release();
  expect(await waitForRun(id, 10, neverAborted)).toMatchObject({ status: "succeeded", answer: "A [redacted] word" });
  off();
  expect(deltas).not.toContain(id);
  expect((await stepsOf((await rowOf(id)).conversationId)).map(({ action }) => action)).toContain("count_tokens");
});

test("a refused request and a withheld reply end the run with the reason of the hook", async () => {
  await addHook({
    event: "before_llm",
    match: { argument: { pointer: "/messages/*/content", pattern: "forbidden" } },
    action: { type: "deny", reason: "Not this topic." },
  });
  await addHook({
    event: "after_llm",
    match: { argument: { pointer: "/content", pattern: "rude" } },
    action: { type: "deny", reason: "Not so." },
  });
  const server = await giveModel(stage, [{ text: ["rude"], usage: { input: 3, cached: 0, output: 2 } }]);
  expect(await start(stage, "a forbidden topic")).toMatchObject({ status: "failed", error: expect.stringContaining("Not this topic.") });
  expect(server.requests).toHaveLength(0);
  const { conversationId } = await start(stage, "Hello", { conversationId: undefined });
  expect((await stepsOf(conversationId)).map(({ outcome }) => outcome)).toEqual(["denied"]);
  const [withheld] = await stepsOf(conversationId);
  expect(withheld).toMatchObject({ event: "after_llm" });
});

test("when no model answers, a hook supplies a reply or names a model that does", async () => {
  await giveModel(stage, [{ status: 401 }]);
  const text = await addHook({ event: "on_error", action: { type: "fall_back", result: "We are closed." } });
  expect(await start(stage, "Hello")).toMatchObject({ status: "succeeded", answer: "We are closed." });
  const spare = await startModelServer([saying("Here I am.")]);
  await db()
    .insert(modelProviders)
    .values({
      id: newId(),
      workspaceId: stage.built.workspace.id,
      name: "Spare",
      kind: "openai_compatible",
      baseUrl: spare.baseUrl("openai_compatible"),
      keySealed: null,
      models: [{ name: "spare-model", inputPrice: null, cachedInputPrice: null, outputPrice: null }],
      position: 1,
    });
  await addHook({ event: "on_error", order: 1, action: { type: "fall_back", result: { model: "spare-model" } } });
  await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
  expect(text.event).toBe("on_error");
  expect(await start(stage, "Hello")).toMatchObject({ status: "succeeded", answer: "Here I am." });
});

test("a hook that breaks after the reply is recorded and the run goes on", async () => {
  await addHook({ event: "after_llm", action: { type: "inject", pointer: "/content/deep", value: 1 } });
  await giveModel(stage, [saying("Fine.")]);
  const run = await start(stage, "Hello");
  expect(run).toMatchObject({ status: "succeeded", answer: "Fine." });
  expect((await stepsOf(run.conversationId)).map(({ outcome }) => outcome)).toEqual(["failed"]);
});
