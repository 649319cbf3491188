import "server-only";
import type { Db } from "@/db/client";
import { queueDeliveries, wantsWebhooks } from "@/server/webhooks/queue-deliveries";
import type { LiveTurn } from "./live-turn";
import { presentTurn } from "./present-turn";
import { saveAlongside, saveTurn } from "./save-turn";

/** Writes a turn that is over, together with the webhooks that tell of it. @returns false when the rows are not as expected. */
export async function saveFinished(live: LiveTurn): Promise<boolean> {
  const { workspaceId, callbackUrl } = live.turn;
  if (!callbackUrl && !(await wantsWebhooks(workspaceId, "turn.finished"))) return saveTurn(live);
  return saveAlongside(live, { write: (tx) => tellFinished(tx, live) });
}

/** The same in the caller's transaction, for a turn that ends without being worked on. */
export async function saveFinishedIn(tx: Db, live: LiveTurn): Promise<boolean> {
  if (!(await saveTurn(live, tx))) return false;
  await tellFinished(tx, live);
  return true;
}

async function tellFinished(tx: Db, { turn, calls }: LiveTurn): Promise<void> {
  const { workspaceId, callbackUrl } = turn;
  const payload = { turn: presentTurn(turn, calls) };
  await queueDeliveries(tx, [{ workspaceId, event: "turn.finished", turnId: turn.id, callbackUrl, payload }]);
}
