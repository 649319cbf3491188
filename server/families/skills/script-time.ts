import { killGraceMs } from "@/server/capabilities/shell/running-commands";

export const maxScriptSeconds = 300;
export const defaultScriptSeconds = 60;
/** Time after the script's own limit for ending it and collecting its output. */
const spareMs = killGraceMs + 3_000;
/** Time limit of a call that runs a script, which is longer than the script's own. */
export const scriptTimeoutMs = maxScriptSeconds * 1_000 + spareMs;

/** Returns the seconds that a script gets: an admin may have set a shorter time limit than the model requests. */
export const scriptSeconds = (timeoutMs: number, wantedSeconds: number): number =>
  Math.min(wantedSeconds, Math.max(timeoutMs - spareMs, timeoutMs / 2) / 1_000);
