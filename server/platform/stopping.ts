import { processWide } from "./process-wide";

const controller = () => processWide("stopping", () => new AbortController());

/** Aborted when the process begins to stop: what waits for long (event streams, long polls) ends itself then. */
export const stopping = (): AbortSignal => controller().signal;

export function announceStop(): void {
  controller().abort();
}
