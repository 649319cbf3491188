import "server-only";
import { log } from "@/server/platform/log";
import { signalEverywhere, signalHere } from "@/server/platform/signals/bus";

/** Tells everybody who follows a run that its rows changed. A lost signal costs a second, because followers read the rows again. */
export function tellRun(runId: string): void {
  signalHere({ topic: "run", runId });
  signalEverywhere({ topic: "run", runId }).catch((error) => log().debug({ err: error }, "a signal of a run was not sent"));
}
