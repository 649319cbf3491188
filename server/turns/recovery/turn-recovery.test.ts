import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { approvals, toolCalls, turns, webhookDeliveries } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { bootId, newId } from "@/server/platform/ids";
import { approverActor, listAuditEvents, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { waitForActiveTurns } from "../active-turns";
import { waitForTurn } from "../read/wait-for-turn";
import { noticeLostReplicas, recoverTurns } from "./recover-turns";

const stage = useStage();

describe("a replica that dies", () => {
  /** Inserts a turn as a replica leaves it when killed while its calls run. */
  async function dieWhileRunning(names: string[], { claimedBy = newId(), updatedAt = new Date() } = {}): Promise<string> {
    const [turn] = await db()
      .insert(turns)
      .values({
        workspaceId: stage.built.workspace.id,
        conversationId: stage.conversationId,
        requestDigest: "",
        requestedBy: { type: "api_key", id: stage.built.agentKey.id, name: stage.built.agentKey.name },
        claimedBy,
        updatedAt,
      })
      .returning();
    if (!turn) throw new Error("no turn");
    await db()
      .insert(toolCalls)
      .values(
        names.map((name, position) => ({
          workspaceId: stage.built.workspace.id,
          turnId: turn.id,
          position,
          runtimeId: `c${position}`,
          requestedName: name,
          name,
          arguments: { text: "again" },
          status: "running" as const,
          startedBy: turn.claimedBy,
          startedAt: new Date(),
        })),
      );
    return turn.id;
  }

  test("leaves calls of which the reads run again and the writes are marked interrupted, never repeated", async () => {
    const turnId = await dieWhileRunning(["look", "change"]);
    await recoverTurns();
    const turn = await waitForTurn(turnId, 20, neverAborted);
    expect(turn.status).toBe("completed");
    expect(statuses(turn)).toEqual(["succeeded", "interrupted"]);
    expect(turn.calls[1]?.content).toContain("outcome is unknown");
    expect(stage.log).toEqual(["look again"]);
  });

  test("leaves a turn that ends when its last call was interrupted", async () => {
    const turnId = await dieWhileRunning(["change"]);
    await db().update(turns).set({ callbackUrl: "https://example.com/hook" }).where(eq(turns.id, turnId));
    await recoverTurns();
    await waitForActiveTurns();
    const turn = await waitForTurn(turnId, 20, neverAborted);
    expect(turn.status).toBe("completed");
    expect(statuses(turn)).toEqual(["interrupted"]);
    const told = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.turnId, turnId));
    expect(told.map(({ event }) => event)).toEqual(["turn.finished"]);
  });

  test("is recovered once, however many replicas notice", async () => {
    const turnId = await dieWhileRunning(["look"]);
    await Promise.all([recoverTurns(), recoverTurns(), recoverTurns()]);
    await waitForTurn(turnId, 20, neverAborted);
    await waitForActiveTurns();
    expect(stage.log).toEqual(["look again"]);
  });

  test("or stopped in order leaves turns that any other takes up at its next look", async () => {
    const turnId = await dieWhileRunning(["look", "change"]);
    await noticeLostReplicas();
    expect(statuses(await waitForTurn(turnId, 20, neverAborted))).toEqual(["succeeded", "interrupted"]);
  });

  test("is not waited for by a turn of ours that stopped on an error: we take it up ourselves", async () => {
    const turnId = await dieWhileRunning(["look"], { claimedBy: bootId(), updatedAt: new Date(Date.now() - 6_000) });
    await noticeLostReplicas();
    expect(statuses(await waitForTurn(turnId, 20, neverAborted))).toEqual(["succeeded"]);
  });

  test("leaves a question that its call asked in the middle, which is taken back: nobody waits for the answer", async () => {
    const turnId = await dieWhileRunning(["change"]);
    const [call] = await db().select().from(toolCalls).where(eq(toolCalls.turnId, turnId));
    const { workspaceId, id: callId } = call ?? { workspaceId: "", id: "" };
    const decision = { verdict: "require_approval", reason: "", ruleId: null, ruleDigest: null, findings: [], trace: [] } as const;
    const [question] = await db()
      .insert(approvals)
      .values({
        workspaceId,
        conversationId: stage.conversationId,
        turnId,
        callId,
        agent: "main",
        toolName: "change",
        toolTitle: "",
        toolSource: "builtin",
        toolEffect: "write",
        arguments: { gate: "n1" },
        argumentsDigest: "",
        decision: { ...decision, findings: [], trace: [], policyVersion: 1 },
        requestedBy: { type: "api_key", id: stage.built.agentKey.id, name: stage.built.agentKey.name },
        expiresAt: new Date(Date.now() + 600_000),
      })
      .returning();
    await recoverTurns();
    const turn = await waitForTurn(turnId, 20, neverAborted);
    expect(statuses(turn)).toEqual(["interrupted"]);
    const id = question?.id ?? "";
    const late = decideApproval(approverActor(stage), id, { decision: "approve", comment: "" });
    await expect(late).rejects.toMatchObject({ code: "already_decided", message: expect.stringContaining("declared void by Handrail") });
    const [after] = await db().select().from(approvals).where(eq(approvals.id, id));
    expect(after).toMatchObject({ status: "void", drift: [expect.stringContaining("nobody waits for this answer any more")] });
    expect(await listAuditEvents(turnId)).toContain("approval.voided");
  });

  test("between a decision and what it lets go on leaves a turn that goes on all the same", async () => {
    const asked = await submitCalls(stage, [["change", { text: "late" }]]);
    const { id } = await onlyApproval(asked.id);
    await db().update(approvals).set({ status: "approved" }).where(eq(approvals.id, id));
    await db().update(turns).set({ answeredAt: new Date() }).where(eq(turns.id, asked.id));
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await recoverTurns();
    expect((await waiting).status).toBe("completed");
    expect(stage.log).toEqual(["change late"]);
  });
});
