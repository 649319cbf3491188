import type { Db as BossDatabase } from "pg-boss";
import type postgres from "postgres";

/** Scripts of several statements, which must stay on one connection. */
const isScript = /^\s*begin\b/i;

/** Runs pg-boss on our driver, so that pg-boss needs no second driver and no connections beside our pool. */
export function fromPostgres(pool: postgres.Sql): BossDatabase {
  return {
    async executeSql(text, values = []) {
      if (isScript.test(text)) {
        const connection = await pool.reserve();
        try {
          return { rows: rowsOf(await connection.unsafe(text)) };
        } catch (error) {
          // A script that fails between its `begin` and its `commit` leaves the connection inside the transaction.
          await connection.unsafe("rollback").catch(() => {});
          throw error;
        } finally {
          connection.release();
        }
      }
      return { rows: rowsOf(await (values.length === 0 ? pool.unsafe(text) : pool.unsafe(text, values.map(parameterOf)))) };
    },
  };
}

/** Converts a value to the form in which pg-boss's own driver would send it. */
function parameterOf(value: unknown): postgres.ParameterOrJSON<never> {
  if (value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  return value as postgres.ParameterOrJSON<never>;
}

type Result = Row[] & { columns?: { name: string; type: number }[] };
type Row = Record<string, unknown>;

/** Type ids of `timestamp` and `timestamptz`. */
const momentTypes = new Set([1114, 1184]);

/**
 * Returns the rows of one statement, or of all statements of a script. Timestamps become dates, because Drizzle leaves timestamps as text.
 */
function rowsOf(result: unknown): Row[] {
  if (!Array.isArray(result)) return [];
  if (result.some(Array.isArray)) return result.flatMap(rowsOf);
  const rows = result as Result;
  const moments = (rows.columns ?? []).filter(({ type }) => momentTypes.has(type));
  for (const row of rows) {
    for (const { name } of moments) {
      const value = row[name];
      if (typeof value === "string") row[name] = new Date(value);
    }
  }
  return [...rows];
}
