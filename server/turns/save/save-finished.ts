import "server-only";
import type { Db } from "@/db/client";
import { isEventWanted, publishEvents } from "@/server/platform/extension-points/outbox";
import type { LiveTurn } from "../live-turn";
import { presentTurn } from "../read/present-turn";
import { saveAlongside, saveTurn } from "./save-turn";

/** Writes a finished turn together with the events that announce it. @returns false when the rows are not as expected. */
export async function saveFinished(live: LiveTurn): Promise<boolean> {
  const { workspaceId, callbackUrl } = live.turn;
  if (!callbackUrl && !(await isEventWanted(workspaceId, "turn.finished"))) return saveTurn(live);
  return saveAlongside(live, { write: (tx) => tellFinished(tx, live) });
}

/** Writes a finished turn in the caller's transaction, for a turn that ends without a running task. */
export async function saveFinishedIn(tx: Db, live: LiveTurn): Promise<boolean> {
  if (!(await saveTurn(live, tx))) return false;
  await tellFinished(tx, live);
  return true;
}

async function tellFinished(tx: Db, { turn, calls }: LiveTurn): Promise<void> {
  const { workspaceId, callbackUrl } = turn;
  const payload = { turn: presentTurn(turn, calls) };
  await publishEvents(tx, [{ workspaceId, event: "turn.finished", turnId: turn.id, callbackUrl, payload }]);
}
