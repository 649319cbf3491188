import { expect, test, vi } from "vitest";
import { decideApproval } from "@/server/approvals/decide-approval";
import {
  calling,
  giveModel,
  rowOf,
  saying,
  sentTexts,
  sentTools,
  start,
  transcriptOf,
  useRunStage,
} from "@/server/testing/models/run-stage";
import { approverActor, loadOnlyTurn, neverAborted, onlyApproval, runtimeActor } from "@/server/testing/stage";
import { findRunTask } from "./active-runs";
import { cancelRun } from "./cancel-run";
import { readRun } from "./read/load-run";
import { waitForRun } from "./read/wait-for-run";

const stage = useRunStage();

test("at its limit of steps the model gives its answer without tools, and the run says so", async () => {
  const server = await giveModel(stage, [calling(["look", { text: "a" }]), calling(["look", { text: "b" }]), saying("I saw a and b.")], {
    runLimits: { steps: 2 },
  });
  const run = await start(stage, "Look at all");
  expect(run).toMatchObject({ status: "limited", limit: "steps", error: expect.stringContaining("2 steps") });
  expect(run.answer).toMatch(/^I saw a and b\.\n\nThe run ended at its limit/);
  expect(server.requests.map((request) => sentTools(request).length > 0)).toEqual([true, true, false]);
  expect(stage.log).toEqual(["look a", "look b"]);
});

test("calls of a reply that spends the last tokens do not run, and the history stays complete", async () => {
  const greedy = { ...calling(["look", { text: "a" }]), text: ["Let me look."], usage: { input: 90, cached: 0, output: 20 } };
  await giveModel(stage, [greedy], { runLimits: { tokens: 100 } });
  const run = await start(stage, "Look");
  expect(run).toMatchObject({ status: "limited", limit: "tokens" });
  expect(run.answer).toMatch(/^Let me look\.\n\nThe run ended at its limit of 100 tokens/);
  expect(stage.log).toEqual([]);
  expect((await transcriptOf(run.id)).at(-1)).toMatch(/^tool: Not run/);
});

test("a limit of money counts the prices of the model, and refuses models without prices", async () => {
  const priced = { inputPrice: 1_000, outputPrice: 1_000 };
  await giveModel(stage, [calling(["look", { text: "a" }])], { prices: priced });
  const run = await start(stage, "Look", { limits: { costUsd: 0.001 } });
  expect(run).toMatchObject({ status: "limited", limit: "cost", usage: { costUsd: expect.closeTo(0.018) } });
  await giveModel(stage, [saying("free")]);
  await expect(start(stage, "Look", { limits: { costUsd: 1 } })).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "limits.costUsd" }] },
  });
});

test("time ends a run with what was written", async () => {
  const server = await giveModel(stage, [{ text: ["First, "], holdsUntil: new Promise(() => {}) }], { runLimits: { seconds: 1 } });
  const run = await start(stage, "Go");
  expect(run).toMatchObject({ status: "limited", limit: "time" });
  expect(run.answer).toMatch(/^First,\n\nThe run ended at its limit of 1 seconds/);
  await vi.waitFor(() => expect(server.abandoned()).toBe(1));
});

test("time in which a person decides does not count", async () => {
  await giveModel(stage, [calling(["change", { text: "it" }]), saying("Done.")], { runLimits: { seconds: 2 } });
  const asked = await start(stage, "Change it");
  const before = await rowOf(asked.id);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const done = waitForRun(asked.id, 10, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(asked.turnId ?? "")).id, { decision: "approve", comment: "" });
  expect(await done).toMatchObject({ status: "succeeded" });
  expect((await rowOf(asked.id)).deadlineAt.getTime() - before.deadlineAt.getTime()).toBeGreaterThanOrEqual(300);
});

test("the same successful call again and again is warned of, then ends the run", async () => {
  const server = await giveModel(stage, ({ body }) => (body.tools ? calling(["look", { text: "a" }]) : saying("I only saw a.")));
  const run = await start(stage, "Look");
  expect(run).toMatchObject({ status: "limited", limit: "loop", answer: expect.stringMatching(/^I only saw a\./) });
  expect(stage.log).toHaveLength(5);
  expect(server.requests).toHaveLength(6);
  const results = (await transcriptOf(run.id)).filter((line) => line.startsWith("tool: "));
  expect(results.map((line) => line.includes("the same result"))).toEqual([false, false, true, true, true]);
  expect(run.error).toContain('look {"text":"a"} gave the same result 5 times');
});

test("a reply with characters that the database cannot hold is an answer", async () => {
  await giveModel(stage, [saying("before\0after")]);
  const run = await start(stage, "Hello");
  expect(run).toMatchObject({ status: "succeeded", answer: "before\u{fffd}after", error: null });
  expect(await transcriptOf(run.id)).toContain("assistant: before\u{fffd}after");
});

test("a model that cannot answer fails the run with a sentence", async () => {
  const down = await giveModel(stage, [{ status: 401, message: "wrong key" }]);
  const failed = await start(stage, "Hello");
  expect(failed).toMatchObject({ status: "failed", answer: null, error: expect.stringMatching(/key/i) });
  expect(down.requests).toHaveLength(1);
});

test("a reply that is cut off is asked for again", async () => {
  const server = await giveModel(stage, [{ text: ["Half of"], breaksOff: "connection" }, saying("The whole answer.")]);
  const run = await start(stage, "Hello");
  expect(run).toMatchObject({ status: "succeeded", answer: "The whole answer.", steps: 1 });
  expect(server.requests).toHaveLength(2);
});

test("a cancelled run ends while the model writes, and keeps what it wrote", async () => {
  const server = await giveModel(stage, [{ text: ["Once upon"], holdsUntil: new Promise(() => {}) }]);
  const run = await start(stage, "Tell me a story", { wait: 0 });
  await vi.waitFor(() => expect(findRunTask(run.id)?.partial?.text).toBe("Once upon"));
  const cancelled = await cancelRun(runtimeActor(stage), run.id, neverAborted);
  expect(cancelled).toMatchObject({ status: "cancelled", answer: "Once upon" });
  expect(await transcriptOf(run.id)).toEqual(["user: Tell me a story", "assistant: Once upon"]);
  await vi.waitFor(() => expect(server.abandoned()).toBe(1));
  expect(await cancelRun(runtimeActor(stage), run.id, neverAborted)).toEqual(cancelled);
});

test("a cancelled run stops its tool, and asks the model nothing more", async () => {
  const server = await giveModel(stage, [calling(["hold", { text: "it" }]), saying("never")]);
  const run = await start(stage, "Hold it", { wait: 0 });
  await stage.gate.reached;
  const cancelled = await cancelRun(runtimeActor(stage), run.id, neverAborted);
  stage.gate.open();
  expect(cancelled.status).toBe("cancelled");
  expect(await loadOnlyTurn(stage)).toMatchObject({ status: "cancelled" });
  expect(server.requests).toHaveLength(1);
  expect((await transcriptOf(run.id)).at(-1)).toMatch(/^tool: /);
});

test("a run that waits for a person is cancelled with its question, and its history stays complete", async () => {
  const server = await giveModel(stage, [calling(["look", { text: "a" }], ["change", { text: "it" }]), saying("Next.")]);
  const asked = await start(stage, "Change it");
  expect(await cancelRun(runtimeActor(stage), asked.id, neverAborted)).toMatchObject({ status: "cancelled" });
  expect(await onlyApproval(asked.turnId ?? "")).toMatchObject({ status: "cancelled" });
  const next = await start(stage, "Something else");
  expect(next).toMatchObject({ status: "succeeded", answer: "Next." });
  expect(server.requests[1] && sentTexts(server.requests[1]).slice(-3)).toEqual([
    "tool: saw a",
    expect.stringMatching(/^tool: Cancelled/),
    "user: Something else",
  ]);
  expect(await readRun(asked.id)).toMatchObject({ status: "cancelled" });
});

test("an empty reply is asked for again, and ends the run with what it had when it stays empty", async () => {
  const server = await giveModel(stage, [{ ...calling(["look", { text: "a" }]), text: ["I look."] }, {}, saying("Seen.")]);
  expect(await start(stage, "Look")).toMatchObject({ status: "succeeded", answer: "Seen.", steps: 2 });
  expect(server.requests).toHaveLength(3);
  await giveModel(stage, [{ ...calling(["look", { text: "b" }]), text: ["I look at b."] }, {}]);
  const run = await start(stage, "Look again");
  expect(run).toMatchObject({ status: "limited", limit: "reply", error: expect.stringContaining("reply was empty") });
  expect(run.answer).toMatch(/^I look at b\.\n\nThe model's reply was empty/);
  expect((await transcriptOf(run.id)).at(-1)).toBe("tool: saw b");
});

test("a reply that breaks off every time ends the run with the part that came, and names the cause", async () => {
  const server = await giveModel(stage, [{ text: ["Half of"], breaksOff: "connection" }]);
  const run = await start(stage, "Hello");
  expect(server.requests).toHaveLength(3);
  expect(run).toMatchObject({ status: "limited", limit: "reply", error: expect.stringContaining("broke off its answer") });
  expect(run.error).not.toMatch(/Fetching|127\.0\.0\.1|other side/);
  expect(run.answer).toMatch(/^Half of\n\n/);
  expect(await transcriptOf(run.id)).toEqual(["user: Hello", "assistant: Half of"]);
  // The provider has read the request three times, whatever it says about it.
  expect(run.usage).toMatchObject({ isEstimated: true });
  expect(run.usage.inputTokens).toBeGreaterThan(100);
});

test("a filtered reply is asked for again, and its calls never run", async () => {
  const filtered = { ...calling(["look", { text: "x" }]), text: ["I "], finishReason: "content_filter" };
  await giveModel(stage, [filtered, saying("Allowed.")]);
  expect(await start(stage, "Hello")).toMatchObject({ status: "succeeded", answer: "Allowed." });
  await giveModel(stage, [filtered]);
  const run = await start(stage, "Again");
  expect(run).toMatchObject({
    status: "limited",
    limit: "reply",
    answer: expect.stringMatching(/^I \n\n.*|^I\n\nThe provider's content filter/),
  });
  expect(stage.log).toEqual([]);
});

test("calls of a reply that was cut at the limit of its length do not run, and the model is told to send them again", async () => {
  const cut = { ...calling(["look", { text: "cut" }]), finishReason: "length" };
  const server = await giveModel(stage, [cut, calling(["look", { text: "whole" }]), saying("Seen.")]);
  const run = await start(stage, "Look");
  expect(run).toMatchObject({ status: "succeeded", answer: "Seen." });
  expect(stage.log).toEqual(["look whole"]);
  expect(server.requests[1] && sentTexts(server.requests[1]).at(-1)).toMatch(/^tool: Not run: your reply was cut off/);
  await giveModel(stage, [cut]);
  expect(await start(stage, "Look")).toMatchObject({ status: "limited", limit: "output" });
  expect(stage.log).toEqual(["look whole"]);
});

test("thinking in the text is no part of the answer, and a call that is written as text runs", async () => {
  await giveModel(stage, [
    { text: ["<thi", "nk>I should look.</th", "ink>\n<function=look>", '{"text":"a"}</function>'] },
    { text: ["They want to know it.\n</think>\n", "Seen."] },
  ]);
  const run = await start(stage, "Look");
  expect(run).toMatchObject({ status: "succeeded", answer: "Seen." });
  expect(stage.log).toEqual(["look a"]);
});

test("names with a namespace and arguments that are null, empty or JSON within JSON are understood", async () => {
  await giveModel(stage, [
    calling(["functions.look", "null"], ["default_api:look", ""], ["tools.look", JSON.stringify('{"text":"a"}')]),
    saying("Seen."),
  ]);
  expect(await start(stage, "Look")).toMatchObject({ status: "succeeded" });
  expect(stage.log.toSorted()).toEqual(["look ", "look ", "look a"]);
});

test("a provider without usage is estimated, not free: the limit of tokens holds", async () => {
  await giveModel(
    stage,
    [
      { ...calling(["look", { text: "a" }]), usage: null },
      { ...saying("Seen."), usage: null },
    ],
    {
      runLimits: { tokens: 100 },
      prices: { inputPrice: 1, outputPrice: 1 },
    },
  );
  const run = await start(stage, "Look");
  expect(run).toMatchObject({ status: "limited", limit: "tokens", usage: { isEstimated: true } });
  expect(run.usage.inputTokens).toBeGreaterThan(100);
  expect(run.usage.costUsd).toBeGreaterThan(0);
  expect(stage.log).toEqual([]);
});
