import "server-only";
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { TurnEventName } from "@/contracts/turns/turns";
import type { Db } from "@/db/client";
import { turnEvents, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";

export type TurnEvent = { seq: number; event: TurnEventName; data: JsonObject; createdAt: Date };

/**
 * Locks a turn until the transaction ends. Every change of a turn, its calls or its approvals takes this row lock
 * first, so changes of one turn are serial and its event numbers become visible in order.
 */
export async function lockTurn(tx: Db, turnId: string): Promise<typeof turns.$inferSelect | undefined> {
  const [turn] = await tx.select().from(turns).where(eq(turns.id, turnId)).for("update");
  return turn;
}

/** Adds events to a turn's journal; the caller holds the turn's lock. */
export async function appendTurnEvents(tx: Db, turnId: string, events: { event: TurnEventName; data: JsonObject }[]): Promise<void> {
  if (events.length === 0) return;
  const [counted] = await tx
    .update(turns)
    .set({ eventCount: sql`${turns.eventCount} + ${events.length}` })
    .where(eq(turns.id, turnId))
    .returning({ eventCount: turns.eventCount });
  if (!counted) throw new Error("the turn of these events is gone");
  const first = counted.eventCount - events.length + 1;
  await tx.insert(turnEvents).values(events.map(({ event, data }, place) => ({ turnId, seq: first + place, event, data })));
}

/** Returns the events of a turn after `seq`, oldest first. */
export async function eventsAfter(turnId: string, seq: number): Promise<TurnEvent[]> {
  return db()
    .select({ seq: turnEvents.seq, event: turnEvents.event, data: turnEvents.data, createdAt: turnEvents.createdAt })
    .from(turnEvents)
    .where(and(eq(turnEvents.turnId, turnId), gt(turnEvents.seq, seq)))
    .orderBy(asc(turnEvents.seq));
}
