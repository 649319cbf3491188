import "server-only";
import { and, eq } from "drizzle-orm";
import { turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import type { TurnTask } from "./active-turns";

/** A submission that carries an Idempotency-Key. */
export type Keyed = { conversationId: string; idempotencyKey: string; requestDigest: string };

/** Time for which a resting turn is still found by its key in this process, without a query. */
const rememberedMs = 1_000;

/** Turns of this process by idempotency key, because the database may not have them yet. */
export const keyedTurns = () => processWide("keyedTurns", () => new Map<string, { requestDigest: string; task: TurnTask }>());
const keyOf = ({ conversationId, idempotencyKey }: Pick<Keyed, "conversationId" | "idempotencyKey">) =>
  `${conversationId} ${idempotencyKey}`;

/** Registers a task until some time after its turn rests. */
export function registerKeyed(keyed: Keyed, task: TurnTask): void {
  const key = keyOf(keyed);
  keyedTurns().set(key, { requestDigest: keyed.requestDigest, task });
  // Removed with a delay, because a submission that queried the database just before this turn was stored looks here afterwards.
  const leave = () => setTimeout(() => keyedTurns().delete(key), rememberedMs).unref();
  task.rested.then(leave, () => keyedTurns().delete(key));
}

/** Forgets a turn whose key belongs to another call from now on. */
export function forgetKeyed({ conversationId, idempotencyKey }: Pick<Keyed, "conversationId" | "idempotencyKey">): void {
  keyedTurns().delete(keyOf({ conversationId, idempotencyKey }));
}

/** Finds the turn of the same submission in this process. @throws AppError `idempotency_mismatch`. */
export function findKeyedTurn(keyed: Keyed): TurnTask | null {
  const twin = keyedTurns().get(keyOf(keyed));
  if (twin && twin.requestDigest !== keyed.requestDigest) throw mismatch(keyed.idempotencyKey, twin.task.live.turn.id);
  return twin?.task ?? null;
}

/** Finds the stored turn that was submitted under this key. @throws AppError `idempotency_mismatch`. */
export async function earlierTurn({ conversationId, idempotencyKey, requestDigest }: Keyed): Promise<string | null> {
  const [turn] = await db()
    .select({ id: turns.id, requestDigest: turns.requestDigest })
    .from(turns)
    .where(and(eq(turns.conversationId, conversationId), eq(turns.idempotencyKey, idempotencyKey)));
  if (turn && turn.requestDigest !== requestDigest) throw mismatch(idempotencyKey, turn.id);
  return turn?.id ?? null;
}

function mismatch(idempotencyKey: string, turnId: string): AppError {
  return new AppError(
    "idempotency_mismatch",
    `The Idempotency-Key "${idempotencyKey}" was used for turn ${turnId} with other calls or another callbackUrl. Send a new key with a new submission.`,
  );
}
