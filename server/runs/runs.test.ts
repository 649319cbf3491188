import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { auditEvents, guardRules, runMessages, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
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
import { approverActor, neverAborted, onlyApproval } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { activeRuns } from "./active-runs";
import { waitForRun } from "./read/wait-for-run";

const stage = useRunStage();

test("a run without calls ends with the model's answer, its usage and an audit trail", async () => {
  const server = await giveModel(stage, [{ text: ["Good ", "day."], reasoning: ["Polite."], usage: { input: 20, cached: 5, output: 4 } }], {
    instructions: "You greet people.",
    prices: { inputPrice: 1, cachedInputPrice: 0.1, outputPrice: 10 },
  });
  const run = await start(stage, "Hello");
  expect(run).toMatchObject({ status: "succeeded", answer: "Good day.", error: null, steps: 1, turnId: null });
  expect(run.usage).toEqual({
    inputTokens: 20,
    cachedInputTokens: 5,
    outputTokens: 4,
    costUsd: expect.closeTo(55.5e-6, 9),
    isEstimated: false,
  });
  expect(await transcriptOf(run.id)).toEqual(["user: Hello", "assistant: Good day."]);
  const [request] = server.requests;
  expect(request && sentTexts(request)).toEqual([expect.stringMatching(/^system: You greet people\./), "user: Hello"]);
  const events = await db().select().from(auditEvents).where(eq(auditEvents.subject, run.id)).orderBy(auditEvents.id);
  expect(events.map(({ event }) => event)).toEqual(["run.started", "run.finished"]);
});

test("calls run as a turn of the conversation, and the model reads their results", async () => {
  const server = await giveModel(stage, [
    { ...calling(["look", { text: "a" }], ["look", { text: "b" }]), text: ["I look."] },
    saying("Seen."),
  ]);
  const run = await start(stage, "Look at a and b");
  expect(run).toMatchObject({ status: "succeeded", answer: "Seen.", steps: 2 });
  expect(stage.log.toSorted()).toEqual(["look a", "look b"]);
  expect(await transcriptOf(run.id)).toEqual([
    "user: Look at a and b",
    "assistant: I look.look()look()",
    "tool: saw a",
    "tool: saw b",
    "assistant: Seen.",
  ]);
  expect(server.requests[0] && sentTools(server.requests[0])).toContain("look");
  expect(server.requests[1] && sentTexts(server.requests[1]).slice(-2)).toEqual(["tool: saw a", "tool: saw b"]);
  const [turn] = await db().select().from(turns).where(eq(turns.conversationId, stage.conversationId));
  expect(turn).toMatchObject({ id: run.turnId, status: "completed", idempotencyKey: `run:${run.id}:1` });
});

test("a call that needs approval lets the run go, and the decision brings it back", async () => {
  const server = await giveModel(stage, [calling(["change", { text: "it" }]), saying("Changed.")]);
  const asked = await start(stage, "Change it");
  expect(asked).toMatchObject({ status: "waiting", answer: null });
  expect(await rowOf(asked.id)).toMatchObject({ claimedBy: null });
  expect(activeRuns().has(asked.id)).toBe(false);
  const approval = await onlyApproval(asked.turnId ?? "");
  const done = waitForRun(asked.id, 20, neverAborted);
  await decideApproval(approverActor(stage), approval.id, { decision: "approve", comment: "" });
  expect(await done).toMatchObject({ status: "succeeded", answer: "Changed." });
  expect(stage.log).toEqual(["change it"]);
  expect(server.requests).toHaveLength(2);
});

test("a rejected call and a denied one are told to the model, and the run goes on", async () => {
  await db()
    .insert(guardRules)
    .values({ workspaceId: stage.built.workspace.id, name: "No looking", tool: "look", verdict: "deny", priority: 1, reason: "Not now." });
  await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
  const server = await giveModel(stage, [calling(["change", { text: "it" }], ["look", {}]), saying("I could not.")]);
  const asked = await start(stage, "Change it");
  const done = waitForRun(asked.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(asked.turnId ?? "")).id, {
    decision: "reject",
    comment: "not on a Friday",
  });
  expect(await done).toMatchObject({ status: "succeeded", answer: "I could not." });
  const results = server.requests[1] ? sentTexts(server.requests[1]).slice(-2) : [];
  expect(results).toEqual([expect.stringContaining("not on a Friday"), expect.stringContaining("Not now.")]);
  expect(stage.log).toEqual([]);
});

test("malformed arguments, an unknown tool and calls of the same id run nothing wrong, and the model reads why", async () => {
  const reply = {
    toolCalls: [
      { id: "same", name: "look", arguments: '{"text": ' },
      { id: "same", name: "no_such_tool", arguments: "{}" },
      { id: "", name: "look", arguments: '{"text":"right"}' },
    ],
  };
  const server = await giveModel(stage, [reply, saying("Oh.")]);
  const run = await start(stage, "Look");
  expect(run.status).toBe("succeeded");
  expect(stage.log).toEqual(["look right"]);
  const results = (await transcriptOf(run.id)).filter((line) => line.startsWith("tool: "));
  expect(results).toEqual([expect.stringContaining("JSON"), expect.stringContaining("no_such_tool"), "tool: saw right"]);
  expect(server.requests).toHaveLength(2);
});

test("the next run of a conversation has the history of the earlier ones, with secrets that are masked at rest", async () => {
  const secret = "sk-proj-AbCdEf0123456789AbCdEf0123456789";
  const server = await giveModel(stage, [calling(["look", { text: secret }]), saying("Noted."), saying("Again.")]);
  // A secret in the arguments asks a person, and the decision runs the call with the secret as the model wrote it.
  const first = await start(stage, `My key is ${secret}`);
  const done = waitForRun(first.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(first.turnId ?? "")).id, { decision: "approve", comment: "" });
  expect(await done).toMatchObject({ status: "succeeded" });
  expect(stage.log).toEqual([`look ${secret}`]);
  const second = await start(stage, "And now?");
  expect(second).toMatchObject({ status: "succeeded", answer: "Again.", conversationId: first.conversationId });
  const sent = server.requests[2] ? sentTexts(server.requests[2]).filter((text) => !text.startsWith("system: ")) : [];
  expect(sent[0]).toBe(`user: My key is ${secret}`);
  expect(sent.slice(-2)).toEqual(["assistant: Noted.", "user: And now?"]);
  const rows = await db().select({ content: runMessages.content }).from(runMessages).where(eq(runMessages.runId, first.id));
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test("images of results are shown to the model", async () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const draw = defineTool({
    name: "draw",
    title: "Draw",
    description: "Draws",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input: z.object({}),
    execute: async () =>
      toolResult({ text: "drawn", files: [{ name: "a.png", mediaType: "image/png", bytes: Buffer.from(pixel, "base64") }] }),
  });
  await buildTools(stage.built.workspace.id, [draw], { alias: "easel" });
  const server = await giveModel(stage, [calling(["draw", {}]), saying("A dot.")]);
  expect(await start(stage, "Draw a dot")).toMatchObject({ status: "succeeded", answer: "A dot." });
  expect(JSON.stringify(server.requests[1]?.body)).toContain(`data:image/png;base64,${pixel}`);
});
