import type postgres from "postgres";

/** A text that was sent this often is worth a prepared statement on each connection. */
const oftenEnough = 3;
/** Lists of changing length make texts without end: no more than this many are remembered, and none that is long. */
const mostTexts = 1_000;
const longestText = 4_000;

type Unsafe = postgres.Sql["unsafe"];

/**
 * Lets statements that come again and again be prepared. The driver prepares only its own templates; what an ORM hands it
 * as text is parsed, planned and described anew each time, which costs a second round trip.
 */
export function prepareOften(pool: postgres.Sql): void {
  const seen = new Map<string, number>();
  const isOften = (text: string): boolean => {
    if (text.length > longestText) return false;
    const times = (seen.get(text) ?? 0) + 1;
    if (times > 1 || seen.size < mostTexts) seen.set(text, times);
    return times >= oftenEnough;
  };
  const better = (unsafe: Unsafe, demandOpen: () => void): Unsafe =>
    ((text: string, parameters?: Parameters<Unsafe>[1], options?: Parameters<Unsafe>[2]) => {
      demandOpen();
      return unsafe(text, parameters, parameters && parameters.length > 0 && isOften(text) ? { ...options, prepare: true } : options);
    }) as Unsafe;

  const improve = (sql: { unsafe: Unsafe }, demandOpen: () => void = () => {}): void => {
    sql.unsafe = better(sql.unsafe.bind(sql), demandOpen);
  };
  improve(pool);
  const begin = pool.begin.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  // When its connection breaks, the driver gives a transaction up at once and lets its work go on, whose next statement
  // would be sent on a new connection, in no transaction at all. So that work sends nothing more, and whoever began it
  // hears of the end only when the work has ended too.
  pool.begin = (async (...args: unknown[]) => {
    const work = args.pop() as (sql: postgres.TransactionSql) => unknown;
    let isOver = false;
    let working: Promise<unknown> = Promise.resolve();
    const demandOpen = () => {
      if (isOver) throw Object.assign(new Error("the connection of this transaction was lost"), { code: "CONNECTION_CLOSED" });
    };
    try {
      return await begin(...args, (sql: postgres.TransactionSql) => {
        improve(sql, demandOpen);
        working = (async () => work(sql))();
        return working;
      });
    } finally {
      isOver = true;
      await working.catch(() => {});
    }
  }) as typeof pool.begin;
}
