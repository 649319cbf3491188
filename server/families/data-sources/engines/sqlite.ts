import "server-only";
import { fork } from "node:child_process";
import { realpathSync } from "node:fs";
import path from "node:path";
import { systemProgram } from "@/server/capabilities/sandbox/bubblewrap";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { demandRead } from "../sql/demand-read";
import {
  assertFewColumns,
  boundRows,
  catalogLimits,
  type Engine,
  type EngineSettings,
  groupForeignKeys,
  queryLimits,
  type ReadResult,
  type ResultColumn,
  tooSlow,
} from "./engine";
import type { SqliteAnswer, SqliteTask } from "./sqlite-program";

const product = "SQLite";
const heapMegabytes = 256;

/**
 * Reads a SQLite file in a process of its own for each query, because SQLite answers in the calling thread and nothing
 * but the end of its process stops it.
 */
export async function openSqlite({ file }: Pick<EngineSettings, "file">): Promise<Engine> {
  const ask = async (task: Pick<SqliteTask, "sql"> & Partial<SqliteTask>, signal: AbortSignal) => {
    const answer = await readApart(
      {
        file: assertForeignFile(file),
        values: [],
        isCatalog: false,
        rows: queryLimits.rows + 1,
        columns: queryLimits.columns,
        cellChars: queryLimits.cellChars,
        ...task,
      },
      signal,
    );
    if ("error" in answer) throw new AppError("invalid", `${product} refused: ${answer.error.slice(0, 1_000)}`);
    return answer;
  };
  return {
    probe: async (signal) => `${product} ${(await ask({ sql: "select sqlite_version()", isCatalog: true }, signal)).rows[0]?.[0]}`,
    listTables: async (signal) => {
      const { rows } = await ask(
        {
          sql: `select name, type from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\' order by name limit ${queryLimits.tables}`,
          isCatalog: true,
        },
        signal,
      );
      return rows.map(([name, type]) => ({ name: String(name), type: type === "view" ? "view" : "table", comment: null }));
    },
    describeTable: async (table, signal) => {
      const sql = `select name, type, "notnull", pk from pragma_table_info(?)`;
      const { rows } = await ask({ sql, values: [table], isCatalog: true }, signal);
      const columns = rows.map(([name, type, notNull, key]) => ({
        name: String(name),
        type: String(type),
        nullable: Number(notNull) === 0 && Number(key) === 0,
        isKey: Number(key) > 0,
        comment: null,
      }));
      const keys = groupForeignKeys(
        (await ask({ sql: foreignKeysSql, values: [table, table], isCatalog: true }, signal)).rows.map((row) => {
          const [key, from, column, target, targetColumn] = row.map(String) as [string, string, string, string, string];
          return { key, table: from, column, target, targetColumn };
        }),
      );
      return {
        columns,
        foreignKeys: keys.filter((key) => isSameTable(key.table, table)),
        referencedBy: keys.filter(({ target }) => isSameTable(target, table)),
      };
    },
    query: async (sql, signal): Promise<ReadResult> => {
      const { columns, rows } = await ask({ sql: demandRead(sql, "sqlite").text }, signal);
      assertFewColumns(columns.length);
      return {
        columns: columns.map((column, index) => ({ name: column.name, type: typeOf(column.type, rows, index) })),
        ...boundRows(rows),
      };
    },
    close: async () => {},
  };
}

/** One row for each column of a foreign key; one without columns of its target points to the primary key. */
const foreignKeysSql = `select f.id, t.name, f."from", f."table",
    coalesce(f."to", (select k.name from pragma_table_info(f."table") k where k.pk = f.seq + 1), '')
  from sqlite_schema t, pragma_foreign_key_list(t.name) f
  where t.type = 'table' and (t.name = ? collate nocase or f."table" = ? collate nocase)
  order by t.name, f.id, f.seq limit ${catalogLimits.foreignKeys}`;

/** SQLite folds the names of tables. */
const isSameTable = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * Returns the real path of a file that is not Handrail's own.
 * @throws AppError `invalid` for a missing file, and for one in the data folder or the folders of conversations
 */
export function assertForeignFile(file: string): string {
  const real = realPath(file);
  if (real === null)
    throw new AppError("invalid", "The SQLite file does not exist on Handrail's machine, or is not readable. An admin checks its path.");
  const { dataDir, workspaceRoot } = env();
  const own = [dataDir, workspaceRoot].some((folder) => isInside(real, realPath(folder) ?? folder));
  if (own || /^\/(?:proc|sys|dev)\//.test(real))
    throw new AppError("invalid", "The SQLite file lies in a folder of Handrail or of the system. An admin names a file elsewhere.", {
      errors: [{ path: "file", message: "lies in a folder of Handrail or of the system" }],
    });
  return real;
}

function realPath(file: string): string | null {
  try {
    return realpathSync(/* turbopackIgnore: true */ file);
  } catch {
    return null;
  }
}

function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return !relative.startsWith("..") && !path.isAbsolute(relative);
}

async function readApart(task: SqliteTask, signal: AbortSignal): Promise<SqliteAnswer> {
  signal.throwIfAborted();
  // The source file itself, because no bundle holds it; Node strips the types.
  const program = path.join(/* turbopackIgnore: true */ process.cwd(), "server/families/data-sources/engines/sqlite-program.ts");
  const limits = systemProgram("prlimit");
  const options = [`--max-old-space-size=${heapMegabytes}`, "--disable-warning=ExperimentalWarning"];
  const child = fork(program, {
    ...(limits
      ? { execPath: limits, execArgv: [`--cpu=${queryLimits.timeMs / 1_000 + 5}`, "--core=0", process.execPath, ...options] }
      : { execArgv: options }),
    // Next's types require NODE_ENV in every environment.
    env: {} as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  const { promise, resolve, reject } = Promise.withResolvers<SqliteAnswer>();
  const abort = () => reject(tooSlow());
  signal.addEventListener("abort", abort, { once: true });
  const failed = () => reject(new AppError("unavailable", `${product}'s process ended before it answered. Select fewer rows.`));
  child
    .on("error", failed)
    .on("exit", failed)
    .on("message", (answer) => resolve(answer as SqliteAnswer));
  child.send(task, (error) => error && failed());
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    child.kill("SIGKILL");
  }
}

function typeOf(declared: string | null, rows: readonly (readonly (string | number | null)[])[], index: number): ResultColumn["type"] {
  const type = (declared ?? "").toLowerCase();
  if (/blob/.test(type)) return "bytes";
  if (/date|time/.test(type)) return "time";
  const values = rows.map((row) => row[index]).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === "number") ? "number" : "text";
}
