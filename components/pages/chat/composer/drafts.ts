/** Unsent texts of this tab by conversation, or by agent for a new one, so that opening another conversation loses none. */
const drafts = new Map<string, string>();

export const readDraft = (place: string): string => drafts.get(place) ?? "";

export function keepDraft(place: string, text: string): void {
  if (text === "") drafts.delete(place);
  else drafts.set(place, text);
}

/** Returns what was typed since a text was sent, so that its arrival takes away nothing else. */
export function typedSince(sent: string, typed: string): string {
  return typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
}
