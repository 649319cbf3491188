import { killGraceMs } from "@/server/capabilities/shell/running-commands";

export const maxTimeoutSeconds = 300;
/** Time after the command's own limit for ending the command and collecting its output. */
const spareMs = killGraceMs + 3_000;
/** Time limit of a call that runs a command. The command's own limit is shorter, so that its output until then is returned. */
export const commandTimeoutMs = maxTimeoutSeconds * 1_000 + spareMs;

/** Returns the seconds that a command gets: an admin may have set a shorter time limit than the model requests. */
export function secondsWithin(timeoutMs: number, wantedSeconds: number): number {
  const roomMs = Math.max(timeoutMs - spareMs, timeoutMs / 2);
  return Math.min(wantedSeconds, roomMs / 1_000);
}
