import "server-only";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { eagerSocket } from "./eager-socket";
import { prepareOften } from "./prepare-often";
import * as schema from "./schema";

export type Database = PostgresJsDatabase<typeof schema>;

/** The database or a transaction. For functions that may run inside their caller's transaction. */
export type Db = Pick<
  Database,
  | "select"
  | "selectDistinct"
  | "selectDistinctOn"
  | "insert"
  | "update"
  | "delete"
  | "execute"
  | "query"
  | "transaction"
  | "$count"
  | "$with"
  | "with"
>;

type PoolOptions = {
  /** Limit of connections in the pool. */
  max?: number;
  name?: string;
  onclose?: () => void;
  /** Postgres settings for the session of each connection. */
  session?: Readonly<Record<string, string>>;
};

/** Wait before the next connection attempt. The driver's own backoff grows to 20 s, which delays work after Postgres is back. */
const retrySeconds = 0.2;

/** Opens a pool; `pool.end()` closes it. With `max` 1, the pool keeps its one connection for as long as the connection lasts. */
export function connect(url: string, { max = 10, name = "handrail", onclose, session = {} }: PoolOptions = {}) {
  const options = {
    max,
    // The driver accepts this option, but its types lack it.
    socket: eagerSocket,
    onnotice: () => {},
    backoff: () => retrySeconds,
    connection: { application_name: name, ...session },
    ...(max === 1 ? { idle_timeout: 0, max_lifetime: null } : {}),
    ...(onclose ? { onclose } : {}),
  };
  const pool = postgres(url, options);
  prepareOften(pool);
  return { pool, db: drizzle(pool, { schema, casing: "snake_case" }) as Database };
}
