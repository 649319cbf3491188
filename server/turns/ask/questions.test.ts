import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { approvals, toolCalls, turnEvents, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { listInbox } from "@/server/approvals/list-inbox";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent, buildApiKey, buildConversation } from "@/server/testing/builders";
import { skipToDue } from "@/server/testing/skip-to-due";
import { approverActor, listAuditEvents, neverAborted, runtimeActor, type Stage, submitCalls, useStage } from "@/server/testing/stage";
import { replaceTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { waitForActiveTurns } from "../active-turns";
import { answerCall } from "../answers/answer-call";
import { cancelTurn } from "../cancel-turn";
import { listRecentTurns } from "../read/list-recent-turns";
import { waitForTurn } from "../read/wait-for-turn";
import { recoverTurns } from "../recovery/recover-turns";

const stage = useStage();

/** A tool that asks two questions, and says what it was told. */
const asks = ({ log }: Stage) =>
  defineTool({
    name: "asks",
    title: "Asks",
    description: "Asks twice",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    stateful: true,
    input: z.object({ topic: z.string().default("") }),
    async *execute({ topic }) {
      log.push(`asks ${topic}`);
      const first = yield { ask: `Which ${topic}?`, options: ["a", "b"] };
      const second = yield { ask: "Sure?" };
      return `${first} and ${second}`;
    },
  });

beforeEach(async () => {
  await replaceTools(stage.built.workspace.id, stage.serverId, [asks(stage)]);
});

const openQuestion = (turnId: string, number: number) =>
  vi.waitFor(async () => {
    const rows = await db().select().from(approvals).where(eq(approvals.turnId, turnId)).orderBy(approvals.id);
    const open = rows.find(({ status, question }) => status === "pending" && question?.number === number);
    if (!open) throw new Error("not asked yet");
    return open;
  });

const reader = () => authorize(stage.built.approver, "approvals:read");
const answer = (text: string) => ({ decision: "approve", answer: text, comment: "" }) as const;

describe("a question of a running tool", () => {
  test("stands in the inbox beside the step that tells of it, and an approver answers it there", async () => {
    const asked = await submitCalls(stage, [["asks", { topic: "branch" }]], { wait: 0.2 });
    const first = await openQuestion(asked.id, 0);
    expect((await listInbox(reader(), { status: "pending" })).items).toMatchObject([
      { id: first.id, kind: "question", summary: "Which branch?", shape: "question", mayDecide: { isAllowed: true } },
    ]);
    const { items } = await listRecentTurns(authorize(stage.built.viewer, "turns:read"));
    expect(items).toMatchObject([{ id: asked.id, status: "running", isAsking: true }]);
    const events = await db().select().from(turnEvents).where(eq(turnEvents.turnId, asked.id)).orderBy(turnEvents.seq);
    expect(events.slice(-2).map(({ event }) => event)).toEqual(["call.step", "approval.requested"]);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const settled = await decideApproval(approverActor(stage), first.id, answer("main"));
    expect(settled).toMatchObject({
      kind: "question",
      status: "answered",
      question: { text: "Which branch?", options: ["a", "b"], answer: "main" },
    });
    await decideApproval(approverActor(stage), (await openQuestion(asked.id, 1)).id, answer("yes"));
    expect((await waiting).calls[0]).toMatchObject({ status: "succeeded", content: "main and yes" });
    expect(await listAuditEvents(asked.id)).toEqual([
      "call.started",
      "approval.requested",
      "call.answered",
      "approval.requested",
      "call.answered",
      "call.succeeded",
    ]);
  });

  test("is answered once, whichever way the answers come", async () => {
    const asked = await submitCalls(stage, [["asks"]], { wait: 0.2 });
    const { id, callId } = await openQuestion(asked.id, 0);
    const answers = await Promise.allSettled([
      decideApproval(approverActor(stage), id, answer("one")),
      answerCall(runtimeActor(stage), { turnId: asked.id, callId, question: 0, text: "two" }),
      decideApproval(approverActor(stage), id, answer("three")),
      answerCall(runtimeActor(stage), { turnId: asked.id, callId, question: 0, text: "four" }),
    ]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const place = answers.findIndex(({ status }) => status === "fulfilled");
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await answerCall(runtimeActor(stage), {
      turnId: asked.id,
      callId,
      question: (await openQuestion(asked.id, 1)).question?.number ?? -1,
      text: "yes",
    });
    expect((await waiting).calls[0]?.content).toBe(`${["one", "two", "three", "four"][place]} and yes`);
  });

  test("is answered on its turn by whoever may decide its approval, and by the runtime of its conversation", async () => {
    const { approver, viewer, workspace } = stage.built;
    const asked = await submitCalls(stage, [["asks"]], { wait: 0.2 });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const { callId } = await openQuestion(asked.id, 0);
    const answerAs = (actor: Actor, question: number, text = "yes") =>
      answerCall(authorize(actor, "turns:read"), { turnId: asked.id, callId, question, text });
    await expect(answerAs(viewer, 0)).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("Ask an approver") });
    const reading = await buildApiKey(workspace.id, { scopes: ["turns:read"] });
    await expect(answerAs(reading, 0)).rejects.toMatchObject({ code: "forbidden" });
    const { id: otherAgent } = await buildAgent(workspace.id);
    await expect(answerAs(await buildApiKey(workspace.id, { agentId: otherAgent }), 0)).rejects.toMatchObject({ code: "not_found" });
    await answerAs(approver, 0, "main");
    await openQuestion(asked.id, 1);
    await answerAs(stage.built.agentKey, 1);
    expect((await waiting).calls[0]).toMatchObject({ status: "succeeded", content: "main and yes" });
  });

  test("with approvers of its own is refused to other people on both endpoints, and never to the runtime", async () => {
    const asked = await submitCalls(stage, [["asks"]], { wait: 0.2 });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const { id, callId } = await openQuestion(asked.id, 0);
    await db()
      .update(approvals)
      .set({ approvers: { roles: ["owner"], users: [], escalation: null } })
      .where(eq(approvals.id, id));
    const refusal = { code: "forbidden", message: "The rule that asks wants an owner to decide." };
    await expect(decideApproval(approverActor(stage), id, answer("inbox"))).rejects.toMatchObject(refusal);
    const person = authorize(stage.built.approver, "turns:read");
    await expect(answerCall(person, { turnId: asked.id, callId, question: 0, text: "turn" })).rejects.toMatchObject(refusal);
    await answerCall(runtimeActor(stage), { turnId: asked.id, callId, question: 0, text: "runtime" });
    await decideApproval(approverActor(stage), (await openQuestion(asked.id, 1)).id, answer("yes"));
    expect((await waiting).calls[0]?.content).toBe("runtime and yes");
  });

  test("that is declined is told to the tool with the person's words", async () => {
    const asked = await submitCalls(stage, [["asks"]], { wait: 0.2 });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const { id } = await openQuestion(asked.id, 0);
    await decideApproval(approverActor(stage), id, { decision: "reject", comment: "ask the customer" });
    expect((await waiting).calls[0]).toMatchObject({
      status: "failed",
      content: expect.stringContaining("declined to answer: ask the customer"),
    });
  });

  test("shows no secret of an answer, and the result that the tool makes of it is masked", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const asked = await submitCalls(stage, [["asks"]], { wait: 0.2 });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const { id } = await openQuestion(asked.id, 0);
    const settled = await decideApproval(approverActor(stage), id, answer(secret));
    expect(JSON.stringify(settled)).not.toContain("0123456789");
    await decideApproval(approverActor(stage), (await openQuestion(asked.id, 1)).id, answer("yes"));
    expect((await waiting).calls[0]?.content).toMatch(/^gh\*\*\*45 and yes\n/);
  });

  test("wants an answer and nothing else", async () => {
    const asked = await submitCalls(stage, [["asks"]], { wait: 0.2 });
    const { id } = await openQuestion(asked.id, 0);
    const refused = (body: Parameters<typeof decideApproval>[2], path: string) =>
      expect(decideApproval(approverActor(stage), id, body)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path }] } });
    await refused({ decision: "approve", comment: "" }, "answer");
    await refused({ decision: "approve", answer: "x", comment: "", arguments: {} }, "arguments");
    await refused({ decision: "reject", answer: "x", comment: "" }, "answer");
    await cancelTurn(runtimeActor(stage), asked.id, neverAborted);
    expect((await db().select().from(approvals).where(eq(approvals.id, id)))[0]?.status).toBe("cancelled");
  });

  test("ends with its time by the database's clock, and the tool is told", async () => {
    const asked = await submitCalls(stage, [["asks"]], { wait: 0.2 });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const { id } = await openQuestion(asked.id, 0);
    await db()
      .update(approvals)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(approvals.id, id));
    await skipToDue("expire_approval");
    expect((await waiting).calls[0]).toMatchObject({
      status: "failed",
      content: expect.stringContaining("Nobody answered the question in time"),
    });
  });

  test("is not asked where nobody can be asked", async () => {
    const { id } = await buildConversation(stage.built.agentKey, { interactive: false, origin: "cron" });
    stage.conversationId = id;
    const [call] = (await submitCalls(stage, [["asks"]])).calls;
    expect(call).toMatchObject({ status: "failed", content: expect.stringContaining("nobody can be asked in this conversation") });
    expect(await db().$count(approvals, eq(approvals.conversationId, id))).toBe(0);
  });

  test("is asked once, also when its process dies: the tool that runs again gets the answer that was given", async () => {
    const asked = await submitCalls(stage, [["asks", { topic: "x" }]], { wait: 0.2 });
    const first = await openQuestion(asked.id, 0);
    await decideApproval(approverActor(stage), first.id, answer("main"));
    await openQuestion(asked.id, 1);
    const turnId = await copyAsKilled(asked.id);
    await cancelTurn(runtimeActor(stage), asked.id, neverAborted);
    await waitForActiveTurns();

    await recoverTurns();
    const waiting = waitForTurn(turnId, 20, neverAborted);
    await vi.waitFor(() => expect(stage.log).toEqual(["asks x", "asks x"]));
    await decideApproval(approverActor(stage), (await openQuestion(turnId, 1)).id, answer("yes"));
    expect((await waiting).calls[0]).toMatchObject({ status: "succeeded", content: "main and yes" });
    expect(await db().$count(approvals, eq(approvals.turnId, turnId))).toBe(2);
    const steps = await db().select().from(turnEvents).where(eq(turnEvents.turnId, turnId)).orderBy(turnEvents.seq);
    expect(steps.filter(({ event }) => event === "call.step")).toHaveLength(2);
  });

  /** Copies the rows of a turn under new ids, claimed by a replica that does not exist. */
  async function copyAsKilled(turnId: string): Promise<string> {
    const copied = { turn: newId(), call: newId(), replica: newId() };
    await db().transaction(async (tx) => {
      const [turn] = await tx.select().from(turns).where(eq(turns.id, turnId));
      const [call] = await tx.select().from(toolCalls).where(eq(toolCalls.turnId, turnId));
      if (!turn || !call) throw new Error("no turn");
      await tx.insert(turns).values({ ...turn, id: copied.turn, claimedBy: copied.replica, idempotencyKey: null });
      await tx.insert(toolCalls).values({ ...call, id: copied.call, turnId: copied.turn, startedBy: copied.replica });
      for (const { searchText: _generated, ...row } of await tx.select().from(approvals).where(eq(approvals.turnId, turnId)))
        await tx.insert(approvals).values({ ...row, id: newId(), turnId: copied.turn, callId: copied.call });
      for (const row of await tx.select().from(turnEvents).where(eq(turnEvents.turnId, turnId)))
        await tx.insert(turnEvents).values({ ...row, turnId: copied.turn, data: { ...row.data, callId: copied.call } });
    });
    return copied.turn;
  }
});
