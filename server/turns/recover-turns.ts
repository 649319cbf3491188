import "server-only";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { approvals, toolCalls, turns } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { queue } from "@/server/platform/queue";
import { catalogOf } from "@/server/tools/catalog";
import { liveTool } from "@/server/tools/live-tools";
import { advanceInBackground, isWorkingOn } from "./advance-turn";
import { isDead } from "./liveness";
import { sentences } from "./outcome";
import type { CallRow, TurnRow } from "./present-turn";
import { finishWhenDone, settleCall } from "./settle-calls";

/**
 * Takes up turns that a dead replica was working on, and turns whose answer came but whose resume job got lost. Runs at
 * start and every half minute; several replicas may run it at once.
 */
export async function recoverTurns(): Promise<void> {
  const claimed = await db()
    .select({ id: turns.id, claimedBy: turns.claimedBy, updatedAt: turns.updatedAt })
    .from(turns)
    .where(and(eq(turns.status, "running"), isNotNull(turns.claimedBy)));
  const dead = new Map<string, boolean>();
  for (const { id, claimedBy, updatedAt } of claimed) {
    if (!claimedBy) continue;
    // A turn of our own that nobody works on stopped on an error (the database was away, say).
    if (!dead.has(claimedBy)) dead.set(claimedBy, await isDead(claimedBy));
    const isOurs = claimedBy === bootId();
    const isOrphan = isOurs ? !isWorkingOn(id) && updatedAt.getTime() < Date.now() - claimGraceMs : dead.get(claimedBy);
    if (isOrphan && (await takeOver(id, claimedBy))) advanceInBackground(id);
  }
  await resumeAnswered();
}

/** A turn that we claimed this recently is about to be worked on. */
const claimGraceMs = 5_000;

/** Claims an orphaned turn and settles what its former owner left running; answers whether there is more to do. */
async function takeOver(turnId: string, formerOwner: string): Promise<boolean> {
  return db().transaction(async (tx) => {
    const turn = await lockTurn(tx, turnId);
    if (turn?.status !== "running" || turn.claimedBy !== formerOwner) return false;
    await tx.update(turns).set({ claimedBy: bootId() }).where(eq(turns.id, turnId));
    const running = await tx
      .select()
      .from(toolCalls)
      .where(and(eq(toolCalls.turnId, turnId), eq(toolCalls.status, "running")));
    for (const call of running) await recoverCall(tx, { ...turn, claimedBy: bootId() }, call);
    await record(tx, {
      workspaceId: turn.workspaceId,
      event: "turn.recovered",
      actor: systemActor,
      subject: turnId,
      conversationId: turn.conversationId,
      turnId,
      data: { calls: running.map(({ id }) => id) },
    });
    // Nobody else would end a turn whose last calls were the interrupted ones.
    return !(await finishWhenDone(tx, turn));
  });
}

/** Runs again what only reads or says that it is idempotent; anything else may have happened, so it is not repeated. */
async function recoverCall(tx: Db, turn: TurnRow, call: CallRow): Promise<void> {
  const registered = (await catalogOf(turn.workspaceId)).find(call.name);
  const mayRunAgain = registered && (registered.effect === "read" || liveTool(turn.workspaceId, registered)?.idempotent);
  if (mayRunAgain) {
    const status = call.approvalId ? "awaiting_approval" : "pending";
    await tx.update(toolCalls).set({ status, startedBy: null, startedAt: null }).where(eq(toolCalls.id, call.id));
  } else {
    await settleCall(tx, turn, { callId: call.id, status: "interrupted", text: sentences.interrupted(call.name) });
  }
}

/** Suspended turns that no longer wait for anybody: their job is sent again. */
async function resumeAnswered(): Promise<void> {
  const forgotten = await db()
    .select({ id: turns.id })
    .from(turns)
    .where(
      and(
        eq(turns.status, "suspended"),
        sql`not exists (select 1 from ${approvals} where ${approvals.turnId} = ${turns.id} and ${eq(approvals.status, "pending")})`,
      ),
    );
  for (const { id } of forgotten) await db().transaction((tx) => queue().send(tx, "resume_turn", { turnId: id }));
}
