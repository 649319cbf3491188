/** Characters that are seen by nobody and read by a model: bidirectional marks, zero widths, tags. Joiners belong to scripts and emoji. */
const hiddenPattern =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Returns a text without hidden characters. */
export const revealNothing = (text: string): string => text.replace(hiddenPattern, "");

/** Prepares the text of a source: no hidden characters and none that the database cannot store. */
export function toPlainText(text: string): { text: string; hidden: number } {
  const stored = text.toWellFormed().replaceAll("\0", "").replace(/\r\n?/g, "\n");
  const plain = revealNothing(stored);
  return { text: plain, hidden: stored.length - plain.length };
}
