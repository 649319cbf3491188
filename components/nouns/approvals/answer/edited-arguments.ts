import { type ArgumentDraft, toArguments } from "@/components/nouns/call-form/argument-draft";
import type { JsonObject } from "@/contracts/common";
import { canonicalJson } from "@/contracts/lib/canonical-json";

/** Edited arguments: the changed ones, nothing when they are equal, or the problem that prevents sending. */
export type EditedArguments = { changed: JsonObject | null; problem: string | null };

const unchanged: EditedArguments = { changed: null, problem: "Change an argument first." };

/** @param draft null until a person edits the arguments */
export function editedArguments(asked: JsonObject, draft: ArgumentDraft | null): EditedArguments {
  if (draft === null) return unchanged;
  const args = toArguments(draft);
  if (args === null) {
    const [wrong] = draft.mistakes;
    return { changed: null, problem: draft.view === "json" ? "The arguments must be a JSON object." : `${wrong} is not valid JSON yet.` };
  }
  // Masks of secrets are sent unchanged, because the server replaces each mask with its secret.
  return canonicalJson(args) === canonicalJson(asked) ? unchanged : { changed: args, problem: null };
}
