/** A ranking with its weight; 1 when it counts fully. */
export type Ranking = { names: readonly string[]; weight?: number };

/**
 * Joins rankings by reciprocal rank, best first. Equal scores keep the order in which the names were first seen.
 * @param dampening the larger it is, the less the first ranks stand out; 60 is usual for whole search engines
 */
export function fuseRankings(rankings: readonly Ranking[], dampening = 60): { name: string; score: number }[] {
  const fused = new Map<string, number>();
  for (const { names, weight = 1 } of rankings) {
    for (const [rank, name] of names.entries()) fused.set(name, (fused.get(name) ?? 0) + weight / (dampening + rank + 1));
  }
  return [...fused].map(([name, score]) => ({ name, score })).sort((a, b) => b.score - a.score);
}
