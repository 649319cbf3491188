import "server-only";
import { onSignal } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { log } from "@/server/platform/log";
import { resume } from "./arrows/resume";
import { storedTurn } from "./live-turn";
import { loadTurn } from "./load-turn";
import { runTurn } from "./run-turn";
import { workOn } from "./working-turns";

/**
 * Takes up a suspended turn on this replica. Its first step claims it together with what that step does, by one
 * conditional update, so that of any number of attempts for one decision a single one goes on.
 */
export async function resumeTurn(turnId: string): Promise<void> {
  const before = workOn(turnId);
  // What has just been suspended here leaves in a moment; anything else is work under way, which looks for itself.
  if (before?.live.turn.status === "suspended") await before.rested.catch(() => {});
  const loaded = await loadTurn(db(), turnId);
  if (loaded?.turn.status !== "suspended" || workOn(turnId)) return;
  const live = storedTurn(loaded.turn, loaded.calls);
  resume(live);
  runTurn(live);
}

/** Takes up turns at once whose answer came on this replica; the job that was queued with the answer stands behind it. */
export function resumeOnSignal(): () => void {
  return onSignal("resume", ({ turnId }) => {
    resumeTurn(turnId).catch((error) => log().warn({ err: error, turnId }, "a turn was not resumed at once; its job does it"));
  });
}
