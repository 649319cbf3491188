import "server-only";
import type { Json } from "@/contracts/common";
import { findSqlState } from "@/server/platform/database/sql-state";
import { AppError, isAppError } from "@/server/platform/errors";
import { demandRead } from "../sql/demand-read";
import { harmlessVolatile } from "../sql/functions";
import {
  assertFewColumns,
  boundRows,
  cutCell,
  type Engine,
  type EngineSettings,
  engineError,
  linesOf,
  queryLimits,
  type ReadResult,
  type ResultColumn,
  tooSlow,
} from "./engine";
import { describeTable, listTables } from "./postgresql-catalog";

type Pool = import("postgres").Sql;
type Transaction = import("postgres").TransactionSql;

const product = "PostgreSQL";
/** Tables that together only Handrail's own database has. */
const ownTables = ["approvals", "audit_events", "guard_versions", "tool_calls", "turn_events", "turns", "workspaces"];
const types = { bytes: 17, boolean: 16, time: [1082, 1083, 1114, 1184, 1266], number: [20, 21, 23, 26, 700, 701, 1700] };
/** Types whose texts JavaScript's numbers hold exactly, or as exactly as the database does. */
const plainNumbers = [21, 23, 26, 700, 701];
const rowsAtOnce = 100;
/** The extended protocol, in which the server accepts one statement only. The driver's types lack the option. */
const extended = { simple: false } as import("postgres").UnsafeQueryOptions;

/** Reads PostgreSQL: a read-only transaction, a cursor that accepts nothing but a query, and no volatile function. */
export async function openPostgresql(settings: EngineSettings): Promise<Engine> {
  const { default: postgres } = await import("postgres");
  const pool: Pool = postgres({
    // Lists, because the driver splits a text at its colons, which IPv6 addresses have. The driver's types lack them.
    ...({ host: [settings.host], port: [settings.port] } as object),
    database: settings.database,
    username: settings.username,
    // A function, because the driver takes an empty password from the environment.
    password: () => settings.password,
    ssl: settings.sslMode === "disable" ? false : settings.sslMode === "require" ? "require" : "verify-full",
    max: queryLimits.connections,
    idle_timeout: queryLimits.idleMs / 1_000,
    connect_timeout: queryLimits.connectMs / 1_000,
    // Reading the catalog's types at each connection would be slow, and results come as text.
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: "handrail-data-source" },
  });
  const read = <T>(signal: AbortSignal, work: (tx: Transaction) => Promise<T>) => inReadOnlyTransaction(pool, signal, work);
  return {
    probe: (signal) =>
      read(signal, async (tx) => {
        const [row] = await tx`select current_setting('server_version') as version`;
        return `${product} ${row?.version}`;
      }),
    listTables: (signal) => read(signal, listTables),
    describeTable: (table, signal) => read(signal, (tx) => describeTable(tx, table)),
    query: async (sql, signal) => {
      const statement = demandRead(sql, "postgresql");
      return read(signal, async (tx) => {
        await assertNotVolatile(tx, statement.functions);
        if (statement.explain)
          // A subquery cannot write, also where ANALYZE runs it.
          return readUtility(tx, `${statement.explain.options} select * from (${statement.explain.query}) as q`);
        if (statement.kind === "show") return readUtility(tx, statement.text);
        const { columns } = await tx.unsafe(statement.text, [], extended).describe();
        assertFewColumns(columns.length);
        if (columns.length === 0) throw new AppError("invalid", "The query has no columns. Select at least one.");
        // A subquery cannot write, and its cells are cut before they leave the database.
        await tx.unsafe(`declare handrail no scroll cursor for ${cellsOf(columns, statement.text)}`, [], extended);
        return fetchRows(tx, columns);
      });
    },
    close: () => pool.end({ timeout: 1 }),
  };
}

async function inReadOnlyTransaction<T>(pool: Pool, signal: AbortSignal, work: (tx: Transaction) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let running: { cancel: () => void } | null = null;
  let isAborted = false;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const cancel = () => {
    isAborted = true;
    running?.cancel();
    reject(tooSlow());
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const working = pool.begin("read only", async (tx) => {
      const { unsafe } = tx;
      // Remembers the current statement, because only it can be cancelled.
      tx.unsafe = ((...args: Parameters<typeof unsafe>) => {
        if (isAborted) throw tooSlow();
        const query = unsafe(...args);
        running = query;
        return query;
      }) as typeof unsafe;
      await tx.unsafe(sessionSettings);
      await assertForeignDatabase(tx);
      await dropSuperuser(tx);
      return work(tx);
    });
    // The transaction of a cancelled call ends behind it.
    working.catch(() => {});
    return (await Promise.race([working, aborted])) as T;
  } catch (error) {
    if (isAppError(error)) throw error;
    if (isAborted || findSqlState(error) === "57014") throw tooSlow();
    throw engineError(error, product);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

const sessionSettings = [
  `set local statement_timeout = '${queryLimits.timeMs}'`,
  "set local lock_timeout = '5000'",
  `set local idle_in_transaction_session_timeout = '${queryLimits.timeMs + 10_000}'`,
  "set local standard_conforming_strings = on",
  "set local datestyle = 'ISO, YMD'",
  "set local timezone = 'UTC'",
  "set local bytea_output = 'hex'",
].join("; ");

async function assertForeignDatabase(tx: Transaction): Promise<void> {
  const [found] = await tx.unsafe(
    `select count(distinct relname)::int as tables from pg_catalog.pg_class where relkind in ('r', 'p') and relname in (${ownTables.map((name) => `'${name}'`).join(", ")})`,
  );
  if (found?.tables === ownTables.length)
    throw new AppError("invalid", "This is a database of Handrail itself, which no agent may read. Name another database.", {
      errors: [{ path: "database", message: "is a database of Handrail itself" }],
    });
}

/** Gives up the rights of a superuser for the transaction: a superuser may read files and run programs. */
async function dropSuperuser(tx: Transaction): Promise<void> {
  const [role] = await tx.unsafe(
    "select rolsuper as super, exists (select 1 from pg_catalog.pg_roles where rolname = 'pg_read_all_data') as reader from pg_catalog.pg_roles where rolname = current_user",
  );
  if (role?.super !== true) return;
  if (role.reader !== true)
    throw new AppError("invalid", "The user is a superuser, who may read files of the server. An admin names a user that may only read.");
  await tx.unsafe("set local role pg_read_all_data");
}

async function assertNotVolatile(tx: Transaction, functions: readonly string[]): Promise<void> {
  if (functions.length === 0) return;
  // A volatile function may write, lock, sleep or leave the database; the catalog knows them, also those of extensions.
  const found = await tx.unsafe(
    "select distinct proname as name from pg_catalog.pg_proc where provolatile = 'v' and proname in (select json_array_elements_text($1::text::json))",
    [JSON.stringify(functions)],
  );
  const refused = found.map(({ name }) => String(name)).find((name) => !harmlessVolatile.has(name));
  if (refused)
    throw new AppError(
      "invalid",
      `Only one statement that reads is allowed: PostgreSQL calls the function ${refused} volatile, so it may change something.`,
    );
}

type Described = { name: string; type: number };

function cellsOf(columns: readonly Described[], sql: string): string {
  const cells = columns.map(({ type }, index) => {
    const cell = `q.c${index}`;
    return type === types.bytes
      ? `octet_length(${cell}) || ' bytes, base64 ' || encode(substring(${cell} from 1 for 48), 'base64') || case when octet_length(${cell}) > 48 then '…' else '' end`
      : `left(${cell}::text, ${queryLimits.cellChars + 1})`;
  });
  return `select ${cells.join(", ")} from (${sql}) as q(${columns.map((_, index) => `c${index}`).join(", ")})`;
}

/** Runs EXPLAIN or SHOW, which no cursor accepts. A result of one column is read by lines. */
async function readUtility(tx: Transaction, sql: string): Promise<ReadResult> {
  const found = await tx.unsafe(sql, [], extended).raw();
  const columns = found.columns.map(({ name }): ResultColumn => ({ name, type: "text" }));
  // The driver's types do not say that a raw cell may be null.
  const cells = found.map((row: (Buffer | null)[]) => row.map((cell) => cell?.toString("utf8") ?? null));
  const rows = columns.length === 1 ? cells.flatMap(([text = null]) => linesOf(text ?? "")) : cells.map((row) => row.map(cutText));
  return { columns, ...boundRows(rows) };
}

const cutText = (text: string | null): Json => (text === null ? null : cutCell(text));

async function fetchRows(tx: Transaction, described: readonly Described[]) {
  const columns = described.map(({ name, type }): ResultColumn => ({ name, type: typeOf(type) }));
  const rows: Json[][] = [];
  let chars = 0;
  while (rows.length <= queryLimits.rows && chars <= queryLimits.resultChars) {
    const some = await tx.unsafe(`fetch ${rowsAtOnce} from handrail`).values();
    for (const row of some) {
      const cells = described.map(({ type }, index) => toCell(row[index] as string | null, type));
      for (const cell of cells) chars += typeof cell === "string" ? cell.length : 8;
      rows.push(cells);
    }
    if (some.length < rowsAtOnce) break;
  }
  return { columns, ...boundRows(rows) };
}

function typeOf(type: number): ResultColumn["type"] {
  if (types.number.includes(type)) return "number";
  if (types.time.includes(type)) return "time";
  return type === types.boolean ? "boolean" : type === types.bytes ? "bytes" : "text";
}

/** Converts the database's text; numbers that JavaScript would change stay text. */
function toCell(text: string | null, type: number): Json {
  if (text === null) return null;
  if (type === types.boolean) return text === "true";
  if (plainNumbers.includes(type)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === 1114) return text.replace(" ", "T");
  if (type === 1184) return text.replace(" ", "T").replace(/\+00$/, "Z");
  return cutCell(text);
}
