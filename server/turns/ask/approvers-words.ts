import { sentences } from "../outcome";
import type { ReadyCall } from "../step-data";

/** Puts before a result what approvers changed in the call, and what they said to the model. */
export function withApproversWords({ registered, edited, comments = [] }: ReadyCall, result: string): string {
  const notes = [...(edited ? [sentences.edited(registered.name, edited)] : []), ...comments.map(sentences.approvedWith)];
  return notes.length === 0 ? result : `${notes.join("\n")}\n\n${result}`;
}
