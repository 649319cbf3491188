import "server-only";
import type { Turn } from "@/contracts/turns/turns";
import type { Authorized } from "@/server/auth/actor";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import { AppError, isAppError } from "@/server/platform/errors";
import { cancelClientCall } from "@/server/turns/client/end-client-call";
import { isDecided, waitForDecision } from "@/server/turns/client/submit-client-call";

/** A request of a client that waits for people. */
export type Waiting = { actor: Authorized<"guard:ask">; signal: AbortSignal; isStillAllowed: () => Promise<boolean> };

const accessEnded =
  "The API key was revoked or has expired while the call waited, so the call is denied and its question is withdrawn. Connect the client with another key.";

/**
 * Waits until people have decided a client's call. When the key loses its access meanwhile, its question is withdrawn.
 * @param seconds `Infinity` waits without a timer, until the approval expires
 * @throws AppError `unauthenticated` when the key lost its access
 */
export async function waitWhileAllowed({ actor, signal, isStillAllowed }: Waiting, turn: Turn, seconds: number): Promise<Turn> {
  if (isDecided(turn) || seconds === 0) return turn;
  try {
    return await runWhileAllowed({ signal, isStillAllowed }, (until) => waitForDecision(turn, seconds, until));
  } catch (error) {
    if (!isAppError(error) || error.code !== "unauthenticated") throw error;
    await cancelClientCall(actor, turn.id);
    throw new AppError("unauthenticated", accessEnded);
  }
}
