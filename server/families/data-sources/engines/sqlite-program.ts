import { closeSync, openSync, readSync, statSync } from "node:fs";
import { constants, DatabaseSync } from "node:sqlite";

// Runs as its own process, started from this file: it imports only builtin modules, because no bundler resolves its imports.

export type SqliteTask = {
  file: string;
  sql: string;
  values: string[];
  isCatalog: boolean;
  rows: number;
  columns: number;
  cellChars: number;
};
export type SqliteAnswer = { columns: { name: string; type: string | null }[]; rows: (string | number | null)[][] } | { error: string };

const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE } = constants;
const refusedFunctions = /^(?:load_extension|readfile|writefile|edit|fts3_tokenizer|fsdir)$/i;

process.on("message", (task: SqliteTask) => process.send?.(read(task), () => process.disconnect()));
process.on("disconnect", () => process.exit());

function read(task: SqliteTask): SqliteAnswer {
  try {
    assertDatabase(task.file);
    const limits = { length: 16_000_000, sqlLength: 100_000, column: 2_000, attach: 0 };
    const database = new DatabaseSync(task.file, { readOnly: true, allowExtension: false, timeout: 2_000, limits });
    // SQLite itself asks this function about each action of a statement while it parses the statement.
    if (!task.isCatalog)
      database.setAuthorizer((action, _first, second) => {
        if (action === SQLITE_FUNCTION) return refusedFunctions.test(second ?? "") ? SQLITE_DENY : SQLITE_OK;
        return action === SQLITE_SELECT || action === SQLITE_READ || action === SQLITE_RECURSIVE ? SQLITE_OK : SQLITE_DENY;
      });
    const statement = database.prepare(task.sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    const columns = statement.columns().map(({ name, type }) => ({ name, type }));
    if (columns.length > task.columns) return { columns, rows: [] };
    const rows: (string | number | null)[][] = [];
    for (const row of statement.iterate(...task.values)) {
      rows.push((row as unknown as unknown[]).map((value) => toCell(value, task.cellChars)));
      if (rows.length >= task.rows) break;
    }
    return { columns, rows };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** SQLite opens an empty file as an empty database, and anything else only at the first read. */
function assertDatabase(file: string): void {
  if (!statSync(file).isFile()) throw new Error("the path is not a file");
  const beginning = Buffer.alloc(15);
  const descriptor = openSync(file, "r");
  readSync(descriptor, beginning, 0, 15, 0);
  closeSync(descriptor);
  if (beginning.toString("latin1") !== "SQLite format 3") throw new Error("the file is not a SQLite database");
}

function toCell(value: unknown, cellChars: number): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint")
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  if (value instanceof Uint8Array)
    return `${value.byteLength} bytes, base64 ${Buffer.from(value.subarray(0, 48)).toString("base64")}${value.byteLength > 48 ? "…" : ""}`;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  const text = String(value);
  return text.length > cellChars ? `${text.slice(0, cellChars).toWellFormed()}… (cut)` : text;
}
