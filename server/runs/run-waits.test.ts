import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { approvals, jobs } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { buildConversation } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { calling, giveModel, rowOf, saying, sentTexts, start, transcriptOf, useRunStage } from "@/server/testing/models/run-stage";
import { approverActor, neverAborted, runtimeActor } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { activeRuns } from "./active-runs";
import { cancelRun } from "./cancel-run";
import { readRun } from "./read/load-run";
import { waitForRun } from "./read/wait-for-run";

const stage = useRunStage();

const common = { family: "probe", tier: "core", effect: "read", needs: [], stateful: true } as const;

beforeEach(async () => {
  const asks = defineTool({
    ...common,
    name: "asks",
    title: "Asks",
    description: "Asks twice",
    input: z.object({}),
    async *execute() {
      const first = yield { ask: "Which?" };
      const second = yield { ask: "Sure?" };
      return `${first}, ${second}`;
    },
  });
  const awaits = defineTool({
    ...common,
    name: "awaits",
    title: "Awaits",
    description: "Waits for a run",
    input: z.object({ runId: z.string() }),
    async *execute({ runId }) {
      return yield { wait: { kind: "run", id: runId } };
    },
  });
  await buildTools(stage.built.workspace.id, [asks, awaits], { alias: "waiters" });
});

/** Works in the background until the gate opens. */
const slow = () =>
  defineTool({
    ...common,
    stateful: false,
    name: "slow",
    title: "Slow",
    description: "Works in the background",
    running: { backgroundable: true },
    input: z.object({}),
    execute: async () => {
      await stage.gate.opened;
      return "the film is ready";
    },
  });

async function answer(turnId: string | null, text: string): Promise<void> {
  const open = await vi.waitFor(async () => {
    const [row] = await db()
      .select()
      .from(approvals)
      .where(and(eq(approvals.turnId, turnId ?? ""), eq(approvals.status, "pending")));
    if (!row) throw new Error("not asked yet");
    return row;
  });
  await decideApproval(approverActor(stage), open.id, { decision: "approve", answer: text, comment: "" });
}

test("a question lets the run go, each answer brings it back, and the people's time does not count", async () => {
  await giveModel(stage, [calling(["asks", {}], ["look", { text: "a" }]), saying("Done.")]);
  const asked = await start(stage, "Ask me");
  expect(asked).toMatchObject({ status: "waiting", answer: null });
  const before = await rowOf(asked.id);
  expect(before.claimedBy).toBeNull();
  expect(activeRuns().has(asked.id)).toBe(false);
  const again = waitForRun(asked.id, 20, neverAborted);
  await answer(asked.turnId, "red");
  expect(await again).toMatchObject({ status: "waiting", turnId: asked.turnId });
  const done = waitForRun(asked.id, 20, neverAborted);
  await answer(asked.turnId, "yes");
  expect(await done).toMatchObject({ status: "succeeded", answer: "Done." });
  expect(await transcriptOf(asked.id)).toEqual([
    "user: Ask me",
    "assistant: asks()look()",
    "tool: red, yes",
    "tool: saw a",
    "assistant: Done.",
  ]);
  expect((await rowOf(asked.id)).deadlineAt.getTime()).toBeGreaterThan(before.deadlineAt.getTime());
});

test("a call that still works keeps its run, even when its neighbour asks", async () => {
  await giveModel(stage, [calling(["hold", {}], ["asks", {}]), saying("Done.")]);
  const asked = await start(stage, "Ask me", { wait: 0 });
  await stage.gate.reached;
  const turnId = await vi.waitFor(async () => {
    const run = await readRun(asked.id);
    if (!run.turnId) throw new Error("not named yet");
    return run.turnId;
  });
  expect(await readRun(asked.id)).toMatchObject({ status: "running", turnId });
  stage.gate.open();
  await vi.waitFor(async () => expect(await readRun(asked.id)).toMatchObject({ status: "waiting" }), 10_000);
  await cancelRun(runtimeActor(stage), asked.id, neverAborted);
  expect(await readRun(asked.id)).toMatchObject({ status: "cancelled" });
});

test("a call that waits for another run lets its own run go, and gets the other's answer", async () => {
  let inner = "";
  await giveModel(stage, ({ body }) => {
    const text = JSON.stringify(body.messages);
    if (text.includes("the inner task")) return text.includes('"tool"') ? saying("42.") : calling(["change", { text: "it" }]);
    return text.includes('"tool"') ? saying("It said 42.") : calling(["awaits", { runId: inner }]);
  });
  const { id: conversationId } = await buildConversation(stage.built.agentKey);
  const child = await start(stage, "the inner task", { conversationId });
  expect(child.status).toBe("waiting");
  inner = child.id;
  const outer = await start(stage, "Ask it");
  expect(outer).toMatchObject({ status: "waiting" });
  const done = waitForRun(outer.id, 20, neverAborted);
  const [approval] = await db()
    .select()
    .from(approvals)
    .where(eq(approvals.turnId, child.turnId ?? ""));
  await decideApproval(approverActor(stage), approval?.id ?? "", { decision: "approve", comment: "" });
  expect(await done).toMatchObject({ status: "succeeded", answer: "It said 42." });
  expect(await transcriptOf(outer.id)).toContainEqual('tool: {"status":"succeeded","answer":"42.","error":null}');
});

test("a call that waits for a background job lets its run go, and the end of the job brings it back", async () => {
  await addBuiltinTools(stage.built.workspace.id);
  await buildTools(stage.built.workspace.id, [slow()], { alias: "slowly" });
  await giveModel(stage, ({ body }) => {
    const text = JSON.stringify(body.messages);
    const jobId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0];
    if (!jobId) return calling(["slow", { runInBackground: true }]);
    return text.includes("the film is ready") ? saying("Ready.") : calling(["wait", { jobId }]);
  });
  const run = await start(stage, "Make a film and wait");
  expect(run).toMatchObject({ status: "waiting" });
  expect(activeRuns().has(run.id)).toBe(false);
  const done = waitForRun(run.id, 20, neverAborted);
  stage.gate.open();
  expect(await done).toMatchObject({ status: "succeeded", answer: "Ready." });
});

test("a job that ended after its run is told to the next one before its model is asked, once", async () => {
  await buildTools(stage.built.workspace.id, [slow()], { alias: "slowly" });
  const server = await giveModel(stage, [calling(["slow", { runInBackground: true }]), saying("Begun."), saying("Ready."), saying("Bye.")]);
  expect(await start(stage, "Make a film")).toMatchObject({ status: "succeeded", answer: "Begun." });
  stage.gate.open();
  await vi.waitFor(async () => {
    const [job] = await db().select().from(jobs).where(eq(jobs.conversationId, stage.conversationId));
    expect(job?.status).toBe("succeeded");
  });
  const next = await start(stage, "And?");
  expect(await transcriptOf(next.id)).toEqual([
    "user: And?",
    expect.stringMatching(/^note: \[Background job .*succeeded\]\nthe film is ready$/s),
    "assistant: Ready.",
  ]);
  expect(server.requests[2] && sentTexts(server.requests[2]).at(-1)).toContain("the film is ready");
  const last = await start(stage, "Thanks");
  expect(await transcriptOf(last.id)).toEqual(["user: Thanks", "assistant: Bye."]);
});
