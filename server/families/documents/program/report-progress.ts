import type { ProgramMessage } from "./document-task.ts";

/** Tells the server how far the work is. */
export function reportProgress(sentence: string): void {
  process.send?.({ kind: "progress", sentence } satisfies ProgramMessage);
}
