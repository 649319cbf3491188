import "server-only";
import { and, eq, inArray, ne, notInArray, sql } from "drizzle-orm";
import type { AuditEventName } from "@/contracts/audit";
import type { JsonObject } from "@/contracts/common";
import { finalCallStatuses } from "@/contracts/turns";
import type { Db } from "@/db/client";
import { toolCalls, turns } from "@/db/schema";
import { record } from "@/server/audit/record";
import { appendTurnEvents, lockTurn } from "@/server/conversations/turn-events";
import { signalHere, signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import type { FinalStatus, Outcome } from "./outcome";
import type { CallRow, TurnRow } from "./present-turn";
import { minCharsPerResult, storeResult } from "./store-result";

const auditEvent: Record<FinalStatus, AuditEventName> = {
  succeeded: "call.succeeded",
  failed: "call.failed",
  denied: "call.denied",
  rejected: "call.rejected",
  expired: "call.expired",
  timed_out: "call.timed_out",
  cancelled: "call.cancelled",
  interrupted: "call.interrupted",
};

/**
 * Stores how calls ended, each with its audit row, and finishes the turn with its last call: one transaction. An outcome
 * of a turn that another replica has taken over meanwhile is dropped; that one has recorded what it knows.
 */
export async function settleCalls(turnId: string, outcomes: readonly Outcome[]): Promise<void> {
  await db().transaction(async (tx) => {
    const turn = await lockTurn(tx, turnId);
    if (!turn || turn.claimedBy !== bootId()) return;
    for (const outcome of outcomes) await settleCall(tx, turn, outcome);
    await finishWhenDone(tx, turn);
  });
  signalHere({ topic: "turn", turnId });
}

/** Stores one outcome; the caller holds the turn's lock. A call that is final already stays as it is. */
export async function settleCall(tx: Db, turn: TurnRow, outcome: Outcome): Promise<void> {
  const [call] = await tx
    .select()
    .from(toolCalls)
    .where(and(eq(toolCalls.id, outcome.callId), notInArray(toolCalls.status, finalCallStatuses)));
  if (!call) return;
  const finishedAt = new Date();
  const durationMs = call.startedAt ? finishedAt.getTime() - call.startedAt.getTime() : 0;
  const bounded = await storeResult(tx, { turn, call, outcome, charsTaken: await charsTaken(tx, call) });
  const name = outcome.name ?? call.name;
  const args = outcome.arguments ?? call.arguments;
  const rawArguments = outcome.arguments ? null : call.rawArguments;
  const decision = outcome.decision ?? call.decision;
  await tx
    .update(toolCalls)
    .set({
      status: outcome.status,
      isError: outcome.status !== "succeeded",
      name,
      arguments: args,
      rawArguments,
      decision,
      content: bounded.content,
      contentParts: bounded.parts,
      structuredContent: bounded.structuredContent,
      truncated: bounded.truncated,
      durationMs,
      finishedAt,
    })
    .where(eq(toolCalls.id, call.id));
  await record(tx, {
    workspaceId: turn.workspaceId,
    event: auditEvent[outcome.status],
    actor: turn.requestedBy,
    subject: name,
    tool: name,
    verdict: decision?.verdict ?? null,
    conversationId: turn.conversationId,
    turnId: turn.id,
    callId: call.id,
    data: auditData(call, { args: rawArguments ?? args, decision, durationMs, content: bounded.content }),
  });
  await appendTurnEvents(tx, turn.id, [
    { event: "call.finished", data: { callId: call.id, id: call.runtimeId, name, status: outcome.status, durationMs } },
  ]);
}

/** Characters that the turn's other results take, with the least that each open call will still get. */
async function charsTaken(tx: Db, call: CallRow): Promise<number> {
  const others = await tx
    .select({ status: toolCalls.status, chars: sql<number>`length(${toolCalls.content})` })
    .from(toolCalls)
    .where(and(eq(toolCalls.turnId, call.turnId), ne(toolCalls.id, call.id)));
  const isFinal = (status: CallRow["status"]) => finalCallStatuses.includes(status as FinalStatus);
  return others.reduce((sum, { status, chars }) => sum + (isFinal(status) ? chars : minCharsPerResult), 0);
}

type Recorded = { args: JsonObject | string; decision: CallRow["decision"]; durationMs: number; content: string };

function auditData(call: CallRow, { args, decision, durationMs, content }: Recorded): JsonObject {
  return {
    requestedName: call.requestedName,
    arguments: args,
    reason: decision?.reason ?? null,
    ruleId: decision?.ruleId ?? null,
    policyVersion: decision?.policyVersion ?? null,
    findings: decision?.findings ?? [],
    approvalId: call.approvalId,
    durationMs,
    resultChars: content.length,
    resultStart: content.slice(0, 200),
  };
}

/** Ends a turn whose calls are all final; the caller holds its lock. */
export async function finishWhenDone(tx: Db, turn: TurnRow): Promise<boolean> {
  const [open] = await tx
    .select({ id: toolCalls.id })
    .from(toolCalls)
    .where(and(eq(toolCalls.turnId, turn.id), notInArray(toolCalls.status, finalCallStatuses)))
    .limit(1);
  if (open) return false;
  const status = turn.cancelRequestedAt ? "cancelled" : "completed";
  const finished = await tx
    .update(turns)
    .set({ status, claimedBy: null, finishedAt: new Date() })
    .where(and(eq(turns.id, turn.id), inArray(turns.status, ["running", "suspended"])))
    .returning({ id: turns.id });
  if (finished.length === 0) return true;
  await appendTurnEvents(tx, turn.id, [{ event: "turn.finished", data: { turnId: turn.id, status } }]);
  // A turn that was suspended may be waited for on any replica; one that was not is waited for where it was submitted.
  const [asked] = await tx
    .select({ id: toolCalls.id })
    .from(toolCalls)
    .where(and(eq(toolCalls.turnId, turn.id), sql`${toolCalls.approvalId} is not null`))
    .limit(1);
  if (asked) await signalOnCommit(tx, { topic: "turn", turnId: turn.id });
  return true;
}
