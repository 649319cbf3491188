import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import { toolCalls } from "@/db/schema";
import { appendTurnEvents, lockTurn } from "@/server/conversations/turn-events";
import { signalHere } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import type { ReadyCall } from "./plan-segment";

/**
 * Commits that calls are running, before they run: a process that dies in between leaves a trace, and nothing that
 * changes the world ever starts twice. Calls that may not start any more (cancelled, taken over) are left out.
 */
export async function startCalls(turnId: string, calls: readonly ReadyCall[]): Promise<ReadyCall[]> {
  const started = await db().transaction(async (tx) => {
    const turn = await lockTurn(tx, turnId);
    if (turn?.status !== "running" || turn.claimedBy !== bootId() || turn.cancelRequestedAt) return [];
    const running: ReadyCall[] = [];
    for (const call of calls) {
      const [row] = await tx
        .update(toolCalls)
        .set({
          status: "running",
          name: call.registered.name,
          arguments: call.arguments,
          rawArguments: null,
          decision: call.decision,
          startedBy: bootId(),
          startedAt: new Date(),
        })
        .where(and(eq(toolCalls.id, call.row.id), inArray(toolCalls.status, ["pending", "awaiting_approval"])))
        .returning();
      if (row) running.push({ ...call, row });
    }
    await appendTurnEvents(
      tx,
      turnId,
      running.map(({ row }) => ({ event: "call.started", data: { callId: row.id, id: row.runtimeId, name: row.name } })),
    );
    return running;
  });
  signalHere({ topic: "turn", turnId });
  return started;
}
