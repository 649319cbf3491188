import "server-only";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";

/** Returns what the model must not forget when its conversation is summarised, such as its open tasks; empty for nothing. */
export type ContextNote = (conversationId: string) => Promise<string>;

const provided = () => processWide("runs.contextNotes", () => new Map<string, ContextNote>());

/** Provides a note of a family. */
export function provideContextNote(family: string, note: ContextNote): void {
  provided().set(family, note);
}

/** Loads the notes of all families. A note that cannot be read is left out. */
export async function loadContextNotes(conversationId: string): Promise<string[]> {
  const notes = await Promise.all(
    [...provided()].map(async ([family, note]) => {
      try {
        return await note(conversationId);
      } catch (error) {
        log().warn({ err: error, family, conversationId }, "a note for the context could not be read");
        return "";
      }
    }),
  );
  return notes.filter((note) => note.trim() !== "");
}
