import { isRefusal } from "./sql-state";

type Waiting<Unit, Result> = { unit: Unit; resolve: (result: Result) => void; reject: (reason: unknown) => void };

/**
 * Groups the units of concurrent callers into commits: units that arrive during a commit join the next one, so that many
 * share one round trip and one disk flush. A lone unit is committed at once.
 *
 * When Postgres refuses a group (a row violates a constraint, two groups deadlock), each unit of the group is committed
 * alone, so that only the bad unit fails.
 * @param commit commits all units of a group in one transaction and returns their results in order
 * @param atMost units in a group
 * @param beside groups under way at once
 */
export function groupCommit<Unit, Result>(
  commit: (units: readonly Unit[]) => Promise<readonly Result[]>,
  { atMost, beside }: { atMost: number; beside: number },
): (unit: Unit) => Promise<Result> {
  const queue: Waiting<Unit, Result>[] = [];
  let underWay = 0;

  const settle = async (group: readonly Waiting<Unit, Result>[]): Promise<void> => {
    try {
      const results = await commit(group.map(({ unit }) => unit));
      for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result);
    } catch (error) {
      if (group.length > 1 && isRefusal(error)) for (const waiting of group) await settle([waiting]);
      else for (const { reject } of group) reject(error);
    }
  };

  const next = (): void => {
    while (queue.length > 0 && underWay < beside) {
      underWay += 1;
      void settle(queue.splice(0, atMost)).finally(() => {
        underWay -= 1;
        next();
      });
    }
  };

  return (unit) =>
    new Promise((resolve, reject) => {
      queue.push({ unit, resolve, reject });
      // All requests that the event loop reads in one round share a group: microtasks run between two of them, immediates after all.
      if (queue.length === 1) setImmediate(next);
    });
}
