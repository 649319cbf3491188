import "server-only";

/** Many small files are slow one by one, because each waits for the disk. */
const limit = 8;

/** Maps a sequence with a few items at work at once; results come in the order of the sequence. */
export async function* inParallel<Item, Result>(items: AsyncIterable<Item>, work: (item: Item) => Promise<Result>): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // Awaited below, perhaps after it has failed, which Node must not take for a failure that nobody awaits.
      result.catch(() => {});
      running.push(result);
      if (running.length >= limit) yield await (running.shift() as Promise<Result>);
    }
    while (running.length > 0) yield await (running.shift() as Promise<Result>);
  } finally {
    await Promise.allSettled(running);
  }
}
