import "server-only";
import { and, eq } from "drizzle-orm";
import { turns } from "@/db/schema";
import { appendTurnEvents, lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { advanceInBackground } from "./advance-turn";

/**
 * Takes up a suspended turn on this replica. Claiming is one conditional update, so that of any number of jobs for one
 * decision a single one goes on.
 */
export async function resumeTurn(turnId: string): Promise<void> {
  const claimed = await db().transaction(async (tx) => {
    await lockTurn(tx, turnId);
    const [turn] = await tx
      .update(turns)
      .set({ status: "running", claimedBy: bootId() })
      .where(and(eq(turns.id, turnId), eq(turns.status, "suspended")))
      .returning({ id: turns.id });
    if (turn) await appendTurnEvents(tx, turnId, [{ event: "turn.resumed", data: { turnId } }]);
    return turn !== undefined;
  });
  if (claimed) advanceInBackground(turnId);
}
