import "server-only";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Turn } from "@/contracts/turns/turns";
import { toolCalls, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { onTurnSignal } from "@/server/platform/signals/bus";
import { readTurn } from "../read/load-turn";
import { restsWithin } from "../read/wait-for-turn";
import { watchTurn } from "../read/watch-turns";

/** Condition on running turns for which nothing works: a call waits for people or durable work, and no other call runs. */
export const onlyWaits = (): SQL<boolean> => sql<boolean>`(${turns.status} = 'running' and exists (
  select from ${toolCalls} where ${toolCalls.turnId} = ${turns.id} and ${toolCalls.status} = 'running' and ${toolCalls.waitsFor} is not null
) and not exists (
  select from ${toolCalls} where ${toolCalls.turnId} = ${turns.id} and ${toolCalls.status} = 'running' and ${toolCalls.waitsFor} is null))`;

async function findOnlyWaits(turnId: string): Promise<boolean> {
  const found = await db()
    .select({ id: turns.id })
    .from(turns)
    .where(and(eq(turns.id, turnId), onlyWaits()));
  return found.length > 0;
}

/** Seconds after which the turn is read again, because another replica that runs it signals no waits. */
const lookSeconds = 5;

/**
 * Waits until nothing works for a turn on any replica: it is finished, suspended, or only waits for people or durable work.
 * @returns the turn as it stands then, or on the signal
 */
export async function waitWhileTurnWorks(turnId: string, signal: AbortSignal): Promise<{ turn: Turn; isWaiting: boolean }> {
  let wake = () => {};
  const off = onTurnSignal(turnId, ({ seen, rests, waits }) => {
    if (seen || rests || waits) wake();
  });
  const unwatch = watchTurn(turnId);
  try {
    for (;;) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const turn = await readTurn(turnId);
      if (turn.status !== "running") return { turn, isWaiting: turn.status === "suspended" };
      if (await findOnlyWaits(turnId)) return { turn, isWaiting: true };
      await restsWithin(news, lookSeconds, signal);
      if (signal.aborted) return { turn: await readTurn(turnId), isWaiting: false };
    }
  } finally {
    off();
    unwatch();
  }
}
