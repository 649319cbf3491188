/** Names less like a request are others, and no misspelling of it. */
const leastLike = 0.4;

/** Returns the runs of three characters of a text, with its beginnings and ends of words. */
export function trigramsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) found.add(padded.slice(at, at + 3));
  }
  return found;
}

/** Ranks names by the share of trigrams that they have in common with a request, best first. Names that are unlike it are left out. */
export function rankNames<Named extends { id: string; title: string }>(
  request: string,
  names: readonly Named[],
): { id: string; score: number }[] {
  const wanted = trigramsOf(request);
  // A name with many more or many fewer trigrams is unlike the request whatever they are; most names are left out so.
  const [fewest, most] = [wanted.size * leastLike, wanted.size / leastLike];
  return names
    .flatMap(({ id, title }) => {
      if (2 * title.length < fewest) return [];
      const own = trigramsOf(title);
      if (own.size < fewest || own.size > most) return [];
      let shared = 0;
      for (const run of own) if (wanted.has(run)) shared++;
      return [{ id, score: shared / Math.max(1, wanted.size + own.size - shared) }];
    })
    .filter(({ score }) => score >= leastLike)
    .sort((a, b) => b.score - a.score);
}
