import "server-only";
import { queueDeliveries, wantsWebhooks } from "@/server/webhooks/queue-deliveries";
import type { LiveTurn } from "./live-turn";
import { presentTurn } from "./present-turn";
import { saveAlongside, saveTurn } from "./save-turn";

/** Writes a turn that is over, together with the webhooks that tell of it. @returns false when the rows are not as expected. */
export async function saveFinished(live: LiveTurn): Promise<boolean> {
  const { turn, calls } = live;
  const { workspaceId, callbackUrl } = turn;
  if (!callbackUrl && !(await wantsWebhooks(workspaceId, "turn.finished"))) return saveTurn(live);
  const payload = { turn: presentTurn(turn, calls) };
  return saveAlongside(live, {
    write: (tx) => queueDeliveries(tx, [{ workspaceId, event: "turn.finished", turnId: turn.id, callbackUrl, payload }]),
  });
}
