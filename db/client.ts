import "server-only";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { eagerSocket } from "./eager-socket";
import { prepareOften } from "./prepare-often";
import * as schema from "./schema";

export type Database = PostgresJsDatabase<typeof schema>;

/** The database or a transaction in it: what a function takes that may run inside its caller's transaction. */
export type Db = Pick<
  Database,
  "select" | "selectDistinct" | "selectDistinctOn" | "insert" | "update" | "delete" | "execute" | "query" | "transaction" | "$count"
>;

type PoolOptions = {
  /** Connections. */
  max?: number;
  name?: string;
  onclose?: () => void;
  /** Settings of each connection's session. */
  session?: Readonly<Record<string, string>>;
};

/** Before a new connection is tried after a failed one. The driver's own backoff grows to 20 s, long after Postgres is back. */
const retrySeconds = 0.2;

/** Opens a pool; `pool.end()` closes it. A pool of one keeps its one connection for as long as that holds. */
export function connect(url: string, { max = 10, name = "handrail", onclose, session = {} }: PoolOptions = {}) {
  const options = {
    max,
    // Not in the driver's types.
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
