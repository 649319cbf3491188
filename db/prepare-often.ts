import type postgres from "postgres";

/** Executions after which a statement is prepared on each connection. */
const oftenEnough = 3;
/** Limit of counted statements: lists of changing length create new statement texts without end. Texts over `maxTextChars` never count. */
const maxTexts = 1_000;
const maxTextChars = 4_000;

type Unsafe = postgres.Sql["unsafe"];

/**
 * Prepares statements that are executed often. The driver prepares only its own templates; text from an ORM is parsed,
 * planned and described on each execution, which costs a second round trip.
 */
export function prepareOften(pool: postgres.Sql): void {
  const seen = new Map<string, number>();
  const isOften = (text: string): boolean => {
    if (text.length > maxTextChars) return false;
    const times = (seen.get(text) ?? 0) + 1;
    if (times > 1 || seen.size < maxTexts) seen.set(text, times);
    return times >= oftenEnough;
  };
  const better = (unsafe: Unsafe, assertOpen: () => void): Unsafe =>
    ((text: string, parameters?: Parameters<Unsafe>[1], options?: Parameters<Unsafe>[2]) => {
      assertOpen();
      return unsafe(text, parameters, parameters && parameters.length > 0 && isOften(text) ? { ...options, prepare: true } : options);
    }) as Unsafe;

  const improve = (sql: { unsafe: Unsafe }, demandOpen: () => void = () => {}): void => {
    sql.unsafe = better(sql.unsafe.bind(sql), demandOpen);
  };
  improve(pool);
  const begin = pool.begin.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  // When the connection breaks, the driver rejects `begin` at once, but the transaction's callback goes on, and its next
  // statement would run on a new connection outside of any transaction. Therefore `demandOpen` lets the callback send
  // nothing more, and the caller of `begin` gets the error only after the callback has ended.
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
