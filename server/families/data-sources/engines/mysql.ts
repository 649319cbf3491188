import "server-only";
import type { Connection as RawConnection } from "mysql2";
import type { ConnectionOptions, FieldPacket, PoolConnection, RowDataPacket } from "mysql2/promise";
import type { Json } from "@/contracts/common";
import { isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { demandRead } from "../sql/demand-read";
import {
  assertFewColumns,
  boundRows,
  bytesCell,
  catalogLimits,
  cutCell,
  type Engine,
  type EngineSettings,
  engineError,
  groupForeignKeys,
  queryLimits,
  type ReadResult,
  type ResultColumn,
  type TableDetails,
  tooSlow,
} from "./engine";

/** Numbers of types in MySQL's protocol. */
const numberTypes = [0, 1, 2, 3, 4, 5, 8, 9, 13, 246];
const plainNumberTypes = [1, 2, 3, 4, 5, 9, 13];
const timeTypes = [7, 10, 11, 12, 14];
const bytesTypes = [15, 249, 250, 251, 252, 253, 254];
const bitType = 16;
const geometryType = 255;
const binaryCharset = 63;

/** Reads MySQL and MariaDB: a read-only transaction, one statement at a time, and no function that is not known to read. */
export async function openMysql(settings: EngineSettings): Promise<Engine> {
  const { read, close } = await openReader(settings);
  return {
    probe: (signal) =>
      read(signal, async (connection) => {
        const [[version] = []] = await rowsOf(connection, "select version()");
        return `${/mariadb/i.test(String(version)) ? "MariaDB" : "MySQL"} ${version}`;
      }),
    listTables: (signal) =>
      read(signal, async (connection) => {
        const rows = await rowsOf(
          connection,
          `select table_name, table_type, table_comment from information_schema.tables where table_schema = database() order by table_name limit ${queryLimits.tables}`,
        );
        return rows.map(([name, type, comment]) => ({
          name: String(name),
          type: /VIEW/.test(String(type)) ? "view" : "table",
          comment: comment && comment !== "VIEW" ? comment : null,
        }));
      }),
    describeTable: (table, signal) => read(signal, (connection) => describeTable(connection, table)),
    query: async (sql, signal) => {
      const { text } = demandRead(sql, "mysql");
      return read(signal, (connection, hangUp) => readRows(connection, text, hangUp));
    },
    close,
  };
}

/** Opens a pool whose connections read only. `hangUp` ends a query that nobody needs the rest of. */
async function openReader(settings: EngineSettings) {
  const { createConnection, createPool } = await import("mysql2/promise");
  const product = settings.kind === "mariadb" ? "MariaDB" : "MySQL";
  const server = connectionOptions(settings);
  const { connections } = queryLimits;
  const pool = createPool({ ...server, connectionLimit: connections, maxIdle: connections, idleTimeout: queryLimits.idleMs });
  /** Ends the query of a connection over another one outside of the pool, whose connections may all be busy. */
  const kill = async ({ threadId }: PoolConnection) => {
    const other = await createConnection(server);
    await other.query(`kill query ${Number(threadId)}`).finally(() => other.end());
  };
  const read = async <T>(signal: AbortSignal, work: (connection: PoolConnection, hangUp: () => void) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(tooSlow());
    signal.addEventListener("abort", abort, { once: true });
    let connection: PoolConnection | null = null;
    let isClosed = false;
    // A connection with an unknown state is not used again, and its query must not go on.
    const hangUp = () => {
      if (!connection || isClosed) return;
      isClosed = true;
      connection.destroy();
      kill(connection).catch((error: { code?: string }) => {
        if (error.code !== "ER_NO_SUCH_THREAD") log().warn({ err: error }, "a query of a data source could not be cancelled");
      });
    };
    const working = async () => {
      connection = await pool.getConnection();
      if (signal.aborted) throw tooSlow();
      await beginReadOnly(connection);
      const result = await work(connection, hangUp);
      if (!isClosed) await connection.query("rollback");
      return result;
    };
    try {
      const result = await Promise.race([working(), aborted]);
      if (!isClosed) (connection as PoolConnection | null)?.release();
      return result;
    } catch (error) {
      hangUp();
      if (isAppError(error)) throw error;
      const code = (error as { code?: string }).code ?? "";
      if (/^ER_(?:QUERY_TIMEOUT|STATEMENT_TIMEOUT|QUERY_INTERRUPTED)$/.test(code)) throw tooSlow();
      throw engineError(error, product);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };
  return { read, close: () => pool.end() };
}

function connectionOptions(settings: EngineSettings): ConnectionOptions {
  return {
    host: settings.host,
    port: settings.port,
    database: settings.database,
    user: settings.username,
    password: settings.password,
    ...(settings.sslMode === "disable" ? {} : { ssl: { rejectUnauthorized: settings.sslMode === "verify_full" } }),
    connectTimeout: queryLimits.connectMs,
    charset: "utf8mb4",
    multipleStatements: false,
    // The server must not ask this machine for a file.
    flags: ["-LOCAL_FILES"],
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  };
}

const rowsOf = async (connection: PoolConnection, sql: string, values: (string | number)[] = []) =>
  (await connection.query<RowDataPacket[][]>(sql, values))[0] as unknown as (string | null)[][];

async function describeTable(connection: PoolConnection, table: string): Promise<TableDetails> {
  const rows = await rowsOf(
    connection,
    "select column_name, column_type, is_nullable, column_key, column_comment from information_schema.columns where table_schema = database() and table_name = ? order by ordinal_position",
    [table],
  );
  const columns = rows.map(([name, type, nullable, key, comment]) => ({
    name: String(name),
    type: String(type),
    nullable: nullable === "YES",
    isKey: key === "PRI",
    comment: comment || null,
  }));
  const keys = groupForeignKeys(
    (await rowsOf(connection, foreignKeysSql, [table, table])).map((row) => {
      const [key, from, column, target, targetColumn] = row.map(String) as [string, string, string, string, string];
      return { key, table: from, column, target, targetColumn };
    }),
  );
  return {
    columns,
    foreignKeys: keys.filter((key) => isSameTable(key.table, table)),
    referencedBy: keys.filter(({ target }) => isSameTable(target, table)),
  };
}

/** One row for each column of a foreign key. A table of another database stands with it. */
const foreignKeysSql = `select constraint_name,
    if(table_schema = database(), table_name, concat(table_schema, '.', table_name)), column_name,
    if(referenced_table_schema = database(), referenced_table_name, concat(referenced_table_schema, '.', referenced_table_name)), referenced_column_name
  from information_schema.key_column_usage
  where referenced_table_name is not null and ((table_schema = database() and table_name = ?)
    or (referenced_table_schema = database() and referenced_table_name = ?))
  order by table_schema, table_name, constraint_name, ordinal_position limit ${catalogLimits.foreignKeys}`;

/** Servers on some machines fold the names of tables. */
const isSameTable = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

async function beginReadOnly(connection: PoolConnection): Promise<void> {
  const [[[version]]] = (await connection.query("select version()")) as unknown as [[[string]]];
  const isMariadb = /mariadb/i.test(version);
  const seconds = queryLimits.timeMs / 1_000;
  // The reader of statements knows quotes as MySQL has them without ANSI_QUOTES and NO_BACKSLASH_ESCAPES.
  await connection.query("set session sql_mode = 'STRICT_TRANS_TABLES'");
  await connection.query("set session time_zone = '+00:00'");
  await connection.query(
    isMariadb ? `set session max_statement_time = ${seconds}` : `set session max_execution_time = ${queryLimits.timeMs}`,
  );
  await connection.query(`set session sql_select_limit = ${queryLimits.rows + 1}`);
  await connection.query("start transaction read only");
}

/** Reads rows from a stream and hangs up after the limit, because a LIMIT of the statement may be higher. */
async function readRows(connection: PoolConnection, sql: string, hangUp: () => void): Promise<ReadResult> {
  const raw = (connection as unknown as { connection: RawConnection }).connection;
  const query = raw.query({ sql, rowsAsArray: true, typeCast: (field: { buffer: () => Buffer | null }) => field.buffer() } as Parameters<
    RawConnection["query"]
  >[0]);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let described: Field[] = [];
  const rows: Json[][] = [];
  let chars = 0;
  query
    .on("fields", (fields: FieldPacket[]) => {
      described = fields;
    })
    .on("result", (row: unknown) => {
      if (!Array.isArray(row)) return;
      const cells = described.map((field, index) => toCell(row[index] as Buffer | null, field));
      rows.push(cells);
      for (const cell of cells) chars += typeof cell === "string" ? cell.length : 8;
      if (rows.length > queryLimits.rows || chars > queryLimits.resultChars) {
        resolve();
        hangUp();
      }
    })
    .on("error", reject)
    .on("end", () => resolve());
  await promise;
  assertFewColumns(described.length);
  return { columns: described.map((field) => ({ name: field.name, type: typeOf(field) })), ...boundRows(rows) };
}

/** Converts a cell from its bytes; numbers that JavaScript would change stay text. */
function toCell(bytes: Buffer | null, field: Field): Json {
  if (bytes === null) return null;
  const type = typeNumber(field);
  if (typeOf(field) === "bytes") return bytesCell(bytes);
  const text = bytes.toString("utf8");
  if (plainNumberTypes.includes(type)) return Number(text);
  if (type === 7 || type === 12) return text.replace(" ", "T");
  return cutCell(text);
}

type Field = FieldPacket & { characterSet?: number };

const typeNumber = ({ columnType, type }: Field): number => columnType ?? type ?? -1;

function typeOf(field: Field): ResultColumn["type"] {
  const number = typeNumber(field);
  if (numberTypes.includes(number)) return "number";
  if (timeTypes.includes(number)) return "time";
  // TEXT and JSON have the types of bytes in the protocol, and another character set.
  const isBytes = number === bitType || number === geometryType || (bytesTypes.includes(number) && field.characterSet === binaryCharset);
  return isBytes ? "bytes" : "text";
}
