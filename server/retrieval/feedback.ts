/** The words of a document that ranked well, each with its part of a full score (from 0 to 1). */
export type RankedDocument = { score: number; parts: ReadonlyMap<string, number> };

/** Words that the best documents of a first ranking add to a request. */
const maxWords = 10;
const weight = 0.5;
/** A word in more than this share of all documents distinguishes nothing. */
const commonShare = 0.2;

/**
 * Returns the terms of a request and those of the best documents of its first ranking, each with its weight (relevance
 * feedback after Rocchio). Questions find documents that say the same in other words.
 * @param idf rarity of a term @param share part of all documents that have the term
 */
export function withFeedback(
  request: ReadonlyMap<string, number>,
  best: readonly RankedDocument[],
  idf: (term: string) => number,
  share: (term: string) => number,
): Map<string, number> {
  const total = best.reduce((sum, { score }) => sum + score, 0);
  const summed = new Map<string, number>();
  for (const { score, parts } of best) {
    for (const [term, part] of parts) summed.set(term, (summed.get(term) ?? 0) + (score / total) * part);
  }
  const added = [...summed]
    .filter(([term]) => share(term) < commonShare)
    .map(([term, sum]): [string, number] => [term, sum * idf(term)])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, maxWords);
  const most = added[0]?.[1] ?? 1;
  const wanted = new Map(request);
  for (const [term, sum] of added) wanted.set(term, (wanted.get(term) ?? 0) + (weight * sum) / most);
  return wanted;
}
