import { processWide } from "./process-wide";

const controller = () => processWide("shutdown", () => new AbortController());

/** Aborts when the process begins to stop: long polls return early, event streams end. */
export const shutdownSignal = () => controller().signal;

export function announceShutdown(): void {
  controller().abort(new Error("the server is stopping"));
}
