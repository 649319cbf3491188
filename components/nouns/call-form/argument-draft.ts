import { isJsonObject, readJson } from "@/components/kit/api/read-json";
import type { JsonObject } from "@/contracts/common";

/** The arguments of a call while a person writes them, in a form or as JSON. */
export type ArgumentDraft = {
  view: "form" | "json";
  /** Arguments from the form, or the last valid object of the JSON text. */
  args: JsonObject;
  text: string;
  /** Paths of fields whose text is not a valid value yet. */
  mistakes: readonly string[];
};

export function toArgumentDraft(args: JsonObject): ArgumentDraft {
  return { view: "form", args, text: written(args), mistakes: [] };
}

/** Returns the arguments to send; null while a field is not valid. */
export function toArguments(draft: ArgumentDraft): JsonObject | null {
  if (draft.view === "json") return parseArguments(draft.text);
  return draft.mistakes.length === 0 ? draft.args : null;
}

/** Switches a draft to the other view; the JSON view stays open while its text is no object, so that the person can fix it. */
export function inView(draft: ArgumentDraft, view: ArgumentDraft["view"]): ArgumentDraft {
  if (view === draft.view) return draft;
  if (view === "json") return { ...draft, view, text: written(draft.args), mistakes: [] };
  const args = parseArguments(draft.text);
  return args ? { ...draft, view, args, mistakes: [] } : draft;
}

export function parseArguments(text: string): JsonObject | null {
  const parsed = readJson(text);
  return isJsonObject(parsed) ? parsed : null;
}

const written = (args: JsonObject): string => JSON.stringify(args, null, 2);
