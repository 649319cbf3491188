/** What a cut result says of itself: how long it was and where the rest is. */
const markerOf = (originalChars: number, artifactId: string | null) =>
  `[result cut: ${originalChars} characters in all, ${artifactId ? `kept whole as artifact ${artifactId}` : "the rest could not be kept"}; beginning and end follow]\n`;
const gap = "\n[...]\n";

/** Looked for in the last characters: an error at the end is what the model needs to see. */
const errorWords = /\b(error|exception|failed|failure|fatal|panic|traceback|denied|not found)\b/i;
const endExamined = 2_000;

/** Share of the preview that shows the beginning. */
const headShare = { usual: 0.4, errorAtEnd: 0.2 };

/**
 * Cuts a text to at most `maxChars` UTF-16 units: a marker, then beginning and end, never in the middle of a character.
 * The end gets 60 % of the room, 80 % when it holds an error.
 */
export function boundText(text: string, { maxChars, artifactId }: { maxChars: number; artifactId: string | null }): string {
  if (text.length <= maxChars) return text;
  const marker = markerOf(text.length, artifactId);
  const room = Math.max(0, maxChars - marker.length - gap.length);
  const share = errorWords.test(text.slice(-endExamined)) ? headShare.errorAtEnd : headShare.usual;
  const head = Math.floor(room * share);
  const end = text.length - (room - head);
  return `${marker}${text.slice(0, isInsidePair(text, head) ? head - 1 : head)}${gap}${text.slice(isInsidePair(text, end) ? end + 1 : end)}`;
}

/** Whether a cut at this place would leave half a character on each side. */
function isInsidePair(text: string, place: number): boolean {
  const before = text.charCodeAt(place - 1);
  const after = text.charCodeAt(place);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
