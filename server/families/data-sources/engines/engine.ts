import type { Json } from "@/contracts/common";
import type { DataSourceKind, SslMode } from "@/contracts/tools/data-sources";
import { AppError, toErrorMessage } from "@/server/platform/errors";

/** A data source as its engine needs it, with the unsealed password. */
export type EngineSettings = {
  kind: DataSourceKind;
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
  sslMode: SslMode;
  file: string;
};

export type ResultColumn = { name: string; type: "number" | "text" | "time" | "boolean" | "bytes" };
/** `isCut`: the database has more rows. */
export type ReadResult = { columns: ResultColumn[]; rows: Json[][]; isCut: boolean };

export type TableInfo = { name: string; type: "table" | "view"; comment: string | null };
/** `isKey`: belongs to the primary key. `values`: those of an enum type, where `type` does not name them. */
export type ColumnInfo = { name: string; type: string; nullable: boolean; isKey: boolean; values?: string[]; comment: string | null };
/** A foreign key of `columns` to the columns `targetColumns` of the table `target`. */
export type ForeignKey = { table: string; columns: string[]; target: string; targetColumns: string[] };
/** A table with its own foreign keys, and those of other tables that point to it. */
export type TableDetails = { columns: ColumnInfo[]; foreignKeys: ForeignKey[]; referencedBy: ForeignKey[] };

/** A connection to one data source. Statements run in a read-only session and end with the signal. */
export type Engine = {
  /** Connects and returns the server's product and version. @throws AppError */
  probe: (signal: AbortSignal) => Promise<string>;
  listTables: (signal: AbortSignal) => Promise<TableInfo[]>;
  /** Returns no columns when the table does not exist. */
  describeTable: (table: string, signal: AbortSignal) => Promise<TableDetails>;
  /** Runs one statement that only reads. @throws AppError */
  query: (sql: string, signal: AbortSignal) => Promise<ReadResult>;
  close: () => Promise<void>;
};

/** Bounds of every query; `cellChars` and `resultChars` keep a hostile result out of memory. */
export const queryLimits = {
  rows: 500,
  columns: 100,
  cellChars: 4_000,
  resultChars: 1_000_000,
  tables: 500,
  connections: 3,
  timeMs: 30_000,
  connectMs: 5_000,
  idleMs: 60_000,
} as const;

/** Most values of an enum type, and most foreign keys in both directions, that the description of a table names. */
export const catalogLimits = { values: 100, foreignKeys: 100 } as const;

/** Cuts a text to the longest cell. */
export function cutCell(text: string): string {
  const { cellChars } = queryLimits;
  return text.length > cellChars ? `${text.slice(0, cellChars).toWellFormed()}… (cut)` : text;
}

/** Presents bytes by their length and beginning, because models cannot read them. */
export function bytesCell(bytes: Uint8Array, length = bytes.byteLength): string {
  const shown = Buffer.from(bytes.subarray(0, 48)).toString("base64");
  return `${length} bytes, base64 ${shown}${length > 48 ? "…" : ""}`;
}

/** Drops rows beyond the limits of rows and characters. */
export function boundRows(rows: Json[][]): { rows: Json[][]; isCut: boolean } {
  let chars = 0;
  const end = rows.findIndex((row, index) => {
    for (const cell of row) chars += typeof cell === "string" ? cell.length : 8;
    return index >= queryLimits.rows || (index > 0 && chars > queryLimits.resultChars);
  });
  return end < 0 ? { rows, isCut: false } : { rows: rows.slice(0, end), isCut: true };
}

/** Puts the rows of a catalog together, one for each column of a foreign key, into foreign keys. */
export function groupForeignKeys(
  rows: readonly { key: string; table: string; column: string; target: string; targetColumn: string }[],
): ForeignKey[] {
  const keys = new Map<string, ForeignKey>();
  for (const { key, table, column, target, targetColumn } of rows) {
    const known = keys.get(`${table} ${key}`) ?? { table, columns: [], target, targetColumns: [] };
    known.columns.push(column);
    known.targetColumns.push(targetColumn);
    keys.set(`${table} ${key}`, known);
  }
  return [...keys.values()];
}

/** Returns lines as rows of one column each, so that a plan of many lines is not cut as one cell is. */
export const linesOf = (text: string): Json[][] => text.split("\n").map((line) => [cutCell(line)]);

/** Refuses a result with more columns than a model can use. */
export function assertFewColumns(count: number): void {
  if (count > queryLimits.columns)
    throw new AppError(
      "invalid",
      `The result has ${count} columns, and ${queryLimits.columns} are the most. Name the columns that you need.`,
    );
}

/** The statement was ended by the limit of time. */
export const tooSlow = () =>
  new AppError(
    "timed_out",
    `The query took longer than ${queryLimits.timeMs / 1_000} seconds and was cancelled. Add a WHERE, or select fewer rows.`,
  );

/** Turns an error of a driver into one for people. Its text comes from the database server, and never holds the password. */
export function engineError(error: unknown, product: string): AppError {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  if (
    /^(?:ECONN|ETIMEDOUT|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EPIPE|CONNECT|CONNECTION|PROTOCOL_CONNECTION_LOST|UND_ERR|HANDSHAKE)/.test(
      code,
    )
  )
    return new AppError("unavailable", `${product} does not answer (${code}). An admin checks host, port and TLS of the data source.`);
  if (/^(?:CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/.test(code))
    return new AppError(
      "unavailable",
      `The TLS connection to ${product} failed (${code}). An admin checks the TLS setting of the data source.`,
    );
  return new AppError("invalid", `${product} refused: ${toErrorMessage(error).slice(0, 1_000)}`);
}
