import "server-only";
import type { Turn } from "@/contracts/turns";
import { readTurn } from "@/server/turns/read/load-turn";
import { turnFeed } from "@/server/turns/read/turn-feed";

export type ProgressListener = (message: string) => Promise<void>;

type Following = { seconds: number; signal: AbortSignal; onProgress: ProgressListener };

/** Passes on the progress of a new turn's calls until the turn rests or the time is up. @returns the turn as it stands then. */
export async function followTurn(turnId: string, { seconds, signal, onProgress }: Following): Promise<Turn> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  for await (const { event, data } of turnFeed(turnId, 0, until)) {
    if (event === "call.progress" && typeof data.message === "string") await onProgress(data.message);
    if (event === "turn.suspended" || event === "turn.finished") break;
  }
  return readTurn(turnId);
}
