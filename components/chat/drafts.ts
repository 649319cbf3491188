/** Unsent texts of this tab by conversation, or by agent for a new one, so that opening another conversation loses none. */
const drafts = new Map<string, string>();

export const readDraft = (place: string): string => drafts.get(place) ?? "";

export function keepDraft(place: string, text: string): void {
  if (text === "") drafts.delete(place);
  else drafts.set(place, text);
}
