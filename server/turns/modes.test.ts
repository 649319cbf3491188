import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { TurnDraft } from "@/contracts/turns/turns";
import { approvals, artifacts, auditEvents, jobs, tools, turnEvents, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { requirePermission } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { startDurableWork } from "@/server/jobs/start-durable-work";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { listenForSignals } from "@/server/platform/signals/bus";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools, familyWork } from "@/server/testing/builtin-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { waitForActiveTurns } from "./active-turns";
import { answerCall } from "./answers/answer-call";
import { cancelJob } from "./background/cancel-job";
import { getJob } from "./background/get-job";
import { promoteCall } from "./background/promote-call";
import { runJob } from "./background/run-job";
import { jobsAtRest } from "./background/running-jobs";
import { cancelTurn } from "./cancel-turn";
import { loopLimits } from "./outcome";
import { callProgress } from "./read/call-progress";
import { waitForTurn } from "./read/wait-for-turn";
import { recoverTurns } from "./recovery/recover-turns";
import { resumeOnSignal } from "./recovery/resume-turn";
import { removeConversation } from "./remove-conversation";
import { submitTurn } from "./submit-turn";

useTestDatabase();

let stop: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const stopResuming = resumeOnSignal();
  const work = await startDurableWork(familyWork);
  stop = [await listenForSignals(), work.stop, await work.startWorkers(), async () => stopResuming()];
});
afterAll(async () => {
  await waitForActiveTurns();
  await jobsAtRest();
  for (const end of stop.reverse()) await end();
});

let built: BuiltWorkspace;
let conversationId: string;
let log: string[];
let gate: { opened: Promise<void>; open: () => void; reached: Promise<void>; reach: () => void };

/** In two parts, so that no scanner takes the test for a leak. */
const leakedToken = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6"}`;
const input = z.object({ text: z.string().default("") });
const common = { title: "Probe", description: "A probe", family: "probe", tier: "core", needs: [], input } as const;
const probes = () => [
  defineTool({
    ...common,
    name: "slow",
    effect: "read",
    running: { backgroundable: true },
    execute: async ({ text }, { signal, progress }) => {
      progress(`at ${text}`);
      gate.reach();
      await Promise.race([gate.opened, new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))]);
      log.push(`slow ${text}`);
      return `slowly ${text}`;
    },
  }),
  defineTool({
    ...common,
    name: "leaky",
    effect: "read",
    execute: async (_input, { progress }) => {
      progress(`Cloning https://ada:${leakedToken}@git.example/repo`);
      gate.reach();
      await gate.opened;
      return "done";
    },
  }),
  defineTool({
    ...common,
    name: "change",
    effect: "write",
    running: { backgroundable: true },
    execute: async ({ text }) => {
      log.push(`change ${text}`);
      return `changed ${text}`;
    },
  }),
  defineTool({
    ...common,
    name: "alone",
    effect: "read",
    running: { concurrencySafe: false, backgroundable: true },
    execute: async ({ text }) => {
      gate.reach();
      await gate.opened;
      log.push(`alone ${text}`);
      return "done";
    },
  }),
  defineTool({
    ...common,
    name: "fall",
    effect: "read",
    running: { backgroundable: true },
    execute: async ({ text }) => {
      log.push(`fall ${text}`);
      throw new Error("it fell");
    },
  }),
  defineTool({
    ...common,
    name: "fickle",
    effect: "read",
    execute: async ({ text }) => {
      if (text === "bad") throw new Error("fickle as ever");
      return text;
    },
  }),
  defineTool({ ...common, name: "tell", effect: "read", execute: async ({ text }) => `all about ${text}` }),
  defineTool({
    ...common,
    name: "steps",
    effect: "read",
    stateful: true,
    async *execute() {
      yield { say: "one" };
      const first = yield { ask: "which?", options: ["a", "b"] };
      const second = yield { ask: "sure?" };
      return `${first} and ${second}`;
    },
  }),
];

beforeEach(async () => {
  log = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  gate = { opened, open, reached, reach };
  built = await buildWorkspace();
  await addBuiltinTools(built.workspace.id);
  await buildTools(built.workspace.id, probes());
  conversationId = (await buildConversation(built.agentKey)).id;
});

const runtime = () => requirePermission(built.agentKey, "turns:write");
const reader = () => requirePermission(built.agentKey, "turns:read");
const neverAborted = new AbortController().signal;

type Given = { wait?: number; afterUserMessage?: boolean; as?: ReturnType<typeof runtime> };

function submit(calls: [name: string, args?: JsonObject][], { wait = 10, afterUserMessage = false, as = runtime() }: Given = {}) {
  const named = calls.map(([name, args = {}], index) => ({ id: `c${index}`, name, arguments: args }));
  const draft = TurnDraft.parse({ calls: named, wait, afterUserMessage });
  return submitTurn(as, { conversationId, draft, idempotencyKey: null, signal: neverAborted });
}

const inBackground = (text: string) => ({ text, runInBackground: true });
const eventsOf = async (turnId: string) =>
  await db().select().from(turnEvents).where(eq(turnEvents.turnId, turnId)).orderBy(turnEvents.seq);

test("a line of progress is shown with its secrets masked", async () => {
  const submitted = submit([["leaky"]]);
  await gate.reached;
  const { id } = await vi.waitFor(async () => {
    const [row] = await db().select({ id: turns.id }).from(turns).where(eq(turns.conversationId, conversationId));
    return row ?? Promise.reject(new Error("not stored yet"));
  });
  const [line] = callProgress(id).values();
  expect(line?.message).toContain("@git.example/repo");
  expect(line?.message).not.toContain(leakedToken);
  expect(line?.message).toContain("***");
  gate.open();
  expect((await submitted).status).toBe("completed");
});

describe("a call in the background", () => {
  test("answers with a placeholder at once, and its result comes with the next turn, once", async () => {
    const turn = await submit([["slow", inBackground("x")], ["tell"]]);
    expect(turn.status).toBe("completed");
    const [call] = turn.calls;
    expect(call).toMatchObject({ status: "succeeded", jobId: expect.any(String), arguments: { text: "x" } });
    expect(call?.content).toContain(`job ${call?.jobId}`);
    expect(log).toEqual([]);
    const jobId = call?.jobId ?? "";
    await gate.reached;
    expect(await getJob(reader(), jobId, 0, neverAborted)).toMatchObject({ status: "running" });
    gate.open();
    expect(await getJob(reader(), jobId, 20, neverAborted)).toMatchObject({ status: "succeeded", content: "slowly x" });

    const next = await submit([["tell"]]);
    expect(next.finishedJobs).toEqual([expect.objectContaining({ jobId, name: "slow", status: "succeeded", content: "slowly x" })]);
    expect((await submit([["tell"]])).finishedJobs).toBeUndefined();
    const audit = await db().select().from(auditEvents).where(eq(auditEvents.subject, jobId)).orderBy(auditEvents.id);
    expect(audit.map(({ event }) => event)).toEqual(["job.started", "job.succeeded"]);
  });

  test("brings the tools that look after it, which cost nothing before", async () => {
    const names = async () => {
      const { tools: shown } = await listConversationTools(requirePermission(built.agentKey, "tools:read"), conversationId, "openai");
      return shown.map((tool) => z.object({ function: z.object({ name: z.string() }) }).parse(tool).function.name);
    };
    expect(await names()).not.toContain("read_job");
    const turn = await submit([["slow", inBackground("x")]]);
    expect(await names()).toEqual(expect.arrayContaining(["jobs", "read_job", "stop_task", "wait"]));
    const jobId = turn.calls[0]?.jobId ?? "";
    await gate.reached;
    const look = await submit([["jobs"], ["read_job", { jobId }]]);
    expect(look.calls.map(({ content }) => content)).toEqual([
      expect.stringContaining(`${jobId} slow: running`),
      expect.stringContaining(`[Job ${jobId} is still running: `),
    ]);
    gate.open();
    const waited = await submit([["wait", { job_id: jobId }]]);
    expect(waited.calls[0]?.content).toContain("slowly x");
  });

  test("that fails again and again stops its model like any other call", async () => {
    for (let times = 0; times < loopLimits.call.stop; times++) {
      const sent = await submit([["fall", { text: "x", runInBackground: true }]]);
      await vi.waitFor(async () =>
        expect(await getJob(reader(), sent.calls[0]?.jobId ?? "", 0, neverAborted)).toMatchObject({ status: "failed" }),
      );
    }
    const stopped = await submit([["fall", { text: "x", runInBackground: true }]]);
    expect(stopped.calls[0]).toMatchObject({ status: "failed", jobId: null });
    expect(stopped.calls[0]?.content).toContain(`${loopLimits.call.stop} times`);
    expect(log).toHaveLength(loopLimits.call.stop);
  });

  test("can be stopped by its model, and by people", async () => {
    const first = await submit([["slow", inBackground("x")]]);
    await gate.reached;
    await submit([["stop_task", { jobId: first.calls[0]?.jobId ?? "" }]]);
    expect(await getJob(reader(), first.calls[0]?.jobId ?? "", 20, neverAborted)).toMatchObject({ status: "cancelled" });
    const second = await submit([["slow", inBackground("y")]]);
    const jobId = second.calls[0]?.jobId ?? "";
    expect(await cancelJob(runtime(), jobId, neverAborted)).toMatchObject({ status: "cancelled" });
    expect(log).toEqual([]);
  });

  test("has its placeholder at once, also while another call has the folder for itself", async () => {
    const first = submit([["alone", { text: "first" }]]);
    await gate.reached;
    const second = await submit([["alone", inBackground("second")]]);
    expect(second.calls[0]).toMatchObject({ status: "succeeded", jobId: expect.any(String) });
    expect(log).toEqual([]);
    gate.open();
    expect((await first).status).toBe("completed");
    expect(await getJob(reader(), second.calls[0]?.jobId ?? "", 20, neverAborted)).toMatchObject({ status: "succeeded" });
  });

  test("does not start when a rule asks for approval by then", async () => {
    const turn = await submit([["slow", inBackground("x")]]);
    gate.open();
    const job = await getJob(reader(), turn.calls[0]?.jobId ?? "", 20, neverAborted);
    const [row] = await db().select().from(jobs).where(eq(jobs.id, job.id));
    if (!row) throw new Error("no job");
    const waiting = { ...row, id: newId(), toolName: "change", status: "pending" as const, startedAt: null, finishedAt: null };
    await db()
      .insert(jobs)
      .values({ ...waiting, durationMs: null });
    await runJob(waiting.id);
    expect(await getJob(reader(), waiting.id, 20, neverAborted)).toMatchObject({ status: "failed", isError: true });
    expect(log).toEqual(["slow x"]);
  });

  test("is stopped when its conversation is deleted, and the audit says so", async () => {
    const turn = await submit([["slow", inBackground("x")]]);
    const jobId = turn.calls[0]?.jobId ?? "";
    await gate.reached;
    await removeConversation(runtime(), conversationId);
    await jobsAtRest();
    expect(log).toEqual([]);
    const audit = await db().select().from(auditEvents).where(eq(auditEvents.subject, jobId)).orderBy(auditEvents.id);
    expect(audit.map(({ event }) => event)).toEqual(["job.started", "job.cancelled"]);
  });

  test("that asks for approval runs in the background once it is approved", async () => {
    const asked = await submit([["change", inBackground("x")]]);
    expect(asked.status).toBe("suspended");
    const [approval] = await db().select().from(approvals).where(eq(approvals.turnId, asked.id));
    expect(approval?.arguments).toEqual({ text: "x" });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await decideApproval(requirePermission(built.approver, "approvals:decide"), approval?.id ?? "", { decision: "approve", comment: "" });
    expect((await waiting).status).toBe("completed");
    const jobId = asked.calls[0]?.jobId ?? "";
    expect(await getJob(reader(), jobId, 20, neverAborted)).toMatchObject({ status: "succeeded", content: "changed x" });
    expect(log).toEqual(["change x"]);
  });

  test("that a dead replica ran starts again when it only reads, and is marked interrupted when it does not", async () => {
    const turn = await submit([["slow", inBackground("x")]]);
    gate.open();
    await getJob(reader(), turn.calls[0]?.jobId ?? "", 20, neverAborted);
    const [row] = await db()
      .select()
      .from(jobs)
      .where(eq(jobs.id, turn.calls[0]?.jobId ?? ""));
    if (!row) throw new Error("no job");
    const orphan = { ...row, status: "running" as const, claimedBy: newId(), finishedAt: null, deliveredTurnId: null };
    const reads = { ...orphan, id: newId() };
    const writes = { ...orphan, id: newId(), toolName: "change" };
    await db().insert(jobs).values([reads, writes]);
    await recoverTurns();
    expect(await getJob(reader(), reads.id, 20, neverAborted)).toMatchObject({ status: "succeeded" });
    expect(await getJob(reader(), writes.id, 20, neverAborted)).toMatchObject({ status: "interrupted", isError: true });
    expect(log).toEqual(["slow x", "slow x"]);
  });

  test("is what a running call becomes that a person moves there: nothing starts again", async () => {
    const running = submit([["slow", { text: "x" }], ["tell"]]);
    await gate.reached;
    const call = await vi.waitFor(async () => {
      const [turn] = await db().select().from(turns).where(eq(turns.conversationId, conversationId));
      const row =
        turn &&
        (await db().query.toolCalls.findFirst({
          where: (calls, { eq: is, and }) => and(is(calls.turnId, turn.id), is(calls.name, "slow")),
        }));
      if (row?.status !== "running") throw new Error("not running yet");
      return row;
    });
    const promoted = await promoteCall(requirePermission(built.admin, "turns:write"), call.turnId, call.id, neverAborted);
    const [moved] = promoted.calls;
    expect(moved).toMatchObject({
      status: "succeeded",
      jobId: expect.any(String),
      content: expect.stringContaining("moved to the background"),
    });
    expect((await running).status).toBe("completed");
    gate.open();
    expect(await getJob(reader(), moved?.jobId ?? "", 20, neverAborted)).toMatchObject({
      status: "succeeded",
      promoted: true,
      content: "slowly x",
    });
    expect(log).toEqual(["slow x"]);
  });
});

describe("a tool that works in steps", () => {
  test("tells its steps as events, and goes on with the answers to its questions", async () => {
    const asked = await submit([["steps"]], { wait: 0.3 });
    expect(asked.status).toBe("running");
    const callId = asked.calls[0]?.callId ?? "";
    const answer = (question: number, text: string) => answerCall(runtime(), { turnId: asked.id, callId, question, text });
    await vi.waitFor(async () => {
      expect((await eventsOf(asked.id)).filter(({ event }) => event === "call.step")).toHaveLength(2);
    });
    await expect(answer(1, "too early")).rejects.toMatchObject({ code: "conflict" });
    await answer(0, "b");
    await expect(answer(0, "again")).rejects.toMatchObject({ code: "conflict" });
    await vi.waitFor(() => answer(1, "yes"));
    await waitForActiveTurns();
    const events = await eventsOf(asked.id);
    expect(events.map(({ event }) => event)).toEqual([
      "turn.started",
      "call.started",
      "call.step",
      "call.step",
      "approval.requested",
      "approval.decided",
      "call.answered",
      "call.step",
      "approval.requested",
      "approval.decided",
      "call.answered",
      "call.finished",
      "turn.finished",
    ]);
    expect(events[3]?.data).toMatchObject({ ask: "which?", question: 0, options: ["a", "b"] });
    const [turn] = await db().query.toolCalls.findMany({ where: (calls, { eq: is }) => is(calls.turnId, asked.id) });
    expect(turn).toMatchObject({ status: "succeeded", content: "b and yes" });
  });
});

describe("a tool that asks", () => {
  test("is refused at once in a conversation where nobody can be asked", async () => {
    conversationId = (await buildConversation(built.agentKey, { interactive: false })).id;
    const turn = await submit([["steps"]]);
    expect(turn.status).toBe("completed");
    expect(turn.calls[0]).toMatchObject({ status: "failed", content: expect.stringContaining("nobody can be asked in this conversation") });
    expect((await eventsOf(turn.id)).filter(({ data }) => "ask" in data)).toEqual([]);
  });

  const asking = async () => {
    const asked = await submit([["steps"]], { wait: 0.3 });
    await vi.waitFor(async () => {
      expect((await eventsOf(asked.id)).filter(({ event }) => event === "call.step")).toHaveLength(2);
    });
    return { turnId: asked.id, callId: asked.calls[0]?.callId ?? "" };
  };

  test("cannot be moved to the background, where nobody could answer it", async () => {
    const { turnId, callId } = await asking();
    await expect(promoteCall(requirePermission(built.admin, "turns:write"), turnId, callId, neverAborted)).rejects.toMatchObject({
      code: "conflict",
    });
    await cancelTurn(runtime(), turnId, neverAborted);
  });

  test("and is not answered in time takes its question back", async () => {
    await db().transaction(async (tx) => {
      await tx.update(tools).set({ timeoutMs: 1_000 }).where(eq(tools.name, "steps"));
      await bumpConfigVersion(tx, built.workspace.id);
    });
    const { turnId } = await asking();
    const [open] = await db().select().from(approvals).where(eq(approvals.turnId, turnId));
    expect(open).toMatchObject({ kind: "question", status: "pending" });
    await waitForActiveTurns();
    // The turn does not wait for the tool that its time limit abandoned, and that takes its question back.
    await vi.waitFor(async () => {
      const [closed] = await db().select().from(approvals).where(eq(approvals.turnId, turnId));
      expect(closed).toMatchObject({ status: "cancelled" });
    });
  });
});

describe("a tool that returns directly", () => {
  test("shows its result to the user, and a placeholder to the model", async () => {
    await db().transaction(async (tx) => {
      await tx.update(tools).set({ returnDirect: true }).where(eq(tools.name, "tell"));
      await bumpConfigVersion(tx, built.workspace.id);
    });
    const turn = await submit([["tell", { text: "it" }]]);
    expect(turn.calls[0]).toMatchObject({ status: "succeeded", directContent: "all about it" });
    expect(turn.calls[0]?.content).not.toContain("all about it");
  });

  test("keeps a text that is too long for the user's stream whole, as an artifact that the text names", async () => {
    await db().transaction(async (tx) => {
      await tx.update(tools).set({ returnDirect: true }).where(eq(tools.name, "tell"));
      await bumpConfigVersion(tx, built.workspace.id);
    });
    const text = `${"x".repeat(120_000)} the end`;
    const [call] = (await submit([["tell", { text }]])).calls;
    expect(call?.directContent).toContain("[The text has 120,018 characters. All of it is in tell.txt, an artifact of this call.]");
    const [artifact] = await db()
      .select()
      .from(artifacts)
      .where(eq(artifacts.callId, call?.callId ?? ""));
    const kept = await new Response((await blobs().read(artifact?.sha256 ?? "")).stream as ReadableStream<Uint8Array<ArrayBuffer>>).text();
    expect(kept === `all about ${text}`).toBe(true);
  });
});

describe("a model that goes in circles", () => {
  test("is warned when the same call fails twice, and not run any more after five times", async () => {
    for (let attempt = 1; attempt <= 5; attempt++) {
      const [call] = (await submit([["fall", { text: "same" }]])).calls;
      expect(call?.content.includes(`failed ${attempt} times`)).toBe(attempt >= 2);
    }
    const [stopped] = (await submit([["fall", { text: "same" }]])).calls;
    expect(stopped).toMatchObject({ status: "failed", content: expect.stringContaining("Not run") });
    expect(log).toHaveLength(5);
    expect((await submit([["fall", { text: "other" }]])).calls[0]?.content).toContain("it fell");
  });

  test("may call a tool that failed with other arguments, however often, and is told to look for the reason", async () => {
    for (let attempt = 1; attempt <= 9; attempt++) {
      const [call] = (await submit([["fall", { text: String(attempt) }]])).calls;
      expect(call?.content).toContain("it fell");
      expect(call?.content.includes(`[fall has failed ${attempt} times in a row`)).toBe(attempt >= 3);
    }
    expect(log).toHaveLength(9);
  });

  test("may send a stopped call again once the tool has worked, or a person has written", async () => {
    const stop = async (name: string, args: JsonObject) => {
      for (let attempt = 1; attempt <= loopLimits.call.stop; attempt++) await submit([[name, args]]);
      expect((await submit([[name, args]])).calls[0]?.content).toContain("Not run");
    };
    await stop("fickle", { text: "bad" });
    await submit([["fickle", { text: "good" }]]);
    expect((await submit([["fickle", { text: "bad" }]])).calls[0]?.content).toContain("fickle as ever");

    await stop("fall", { text: "same" });
    expect((await submit([["fall", { text: "same" }]], { afterUserMessage: true })).calls[0]?.content).toContain("it fell");
    expect((await submit([["fall", { text: "same" }]])).calls[0]?.content).not.toContain("Not run");
  });

  test("does not stop a person who submits the call", async () => {
    for (let attempt = 1; attempt <= loopLimits.call.stop; attempt++) await submit([["fall", { text: "same" }]]);
    const [call] = (await submit([["fall", { text: "same" }]], { as: requirePermission(built.admin, "turns:write") })).calls;
    expect(call?.content).toContain("it fell");
  });
});
