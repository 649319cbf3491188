/** Results that are kept for sorting; more of them are printed in order by ripgrep, which then uses one thread. */
const maxKept = 2_000;
/** Milliseconds of an unordered search; a longer one is run again in order, so that its first results are an answer. */
const maxUnorderedMs = 8_000;

/** Options of ripgrep that order its results by path. */
export type Order = readonly [] | readonly ["--sort", "path"];

/**
 * Yields results in the order of their paths. They are searched by all threads and sorted here, because ripgrep sorts with one thread
 * only. Results of one path must come one after the other.
 */
export async function* inPathOrder<T extends { path: string }>(
  print: (order: Order, signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const kept = await unordered(print, signal);
  if (kept) yield* kept.toSorted((a, b) => comparePaths(a.path, b.path));
  else yield* print(["--sort", "path"], signal);
}

/** Returns all results; null when they are too many, or take too long. */
async function unordered<T>(print: (order: Order, signal: AbortSignal) => AsyncIterable<T>, signal: AbortSignal): Promise<T[] | null> {
  const tooLong = AbortSignal.timeout(maxUnorderedMs);
  const kept: T[] = [];
  try {
    for await (const result of print([], AbortSignal.any([signal, tooLong]))) {
      if (kept.length === maxKept) return null;
      kept.push(result);
    }
    return kept;
  } catch (error) {
    signal.throwIfAborted();
    if (tooLong.aborted) return null;
    throw error;
  }
}

/** Compares paths as ripgrep does: name by name, and names by their bytes. */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  const [ours, theirs] = [a.split("/"), b.split("/")];
  for (let at = 0; at < Math.min(ours.length, theirs.length); at += 1) {
    const order = Buffer.compare(Buffer.from(ours[at] ?? ""), Buffer.from(theirs[at] ?? ""));
    if (order !== 0) return order;
  }
  return ours.length - theirs.length;
}
