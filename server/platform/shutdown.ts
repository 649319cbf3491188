import { processWide } from "./process-wide";

const controller = () => processWide("shutdown", () => new AbortController());

/** Aborts when the process starts to stop: long polls answer what they have, event streams end. */
export const shutdownSignal = () => controller().signal;

export function announceShutdown(): void {
  controller().abort(new Error("the server is stopping"));
}
