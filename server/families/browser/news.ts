/** A file that a page gave. */
export type SessionFile = { name: string; mediaType: string; bytes: Uint8Array };

/** Events of a browser since the last result. */
export type News = {
  /** Sentences of ours. */
  notes: string[];
  /** Sentences that quote the page, such as the text of a dialog. */
  quotes: string[];
  files: SessionFile[];
};

const maxSentences = 20;
const maxQuoted = 300;

/** Quotes words of a page in one bounded line. */
export const quoted = (text: string): string => JSON.stringify(text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text);

/** Adds a sentence to the news, unless it is there already. */
export function addNews(list: string[], sentence: string): void {
  if (list.length < maxSentences && !list.includes(sentence)) list.push(sentence);
}
