import "server-only";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type postgres from "postgres";
import { StartError } from "@/db/start-error";
import { quoted, quotedTable, type Table } from "./catalog";
import { Digest } from "./digest";
import type { StoredFile, StoredTable } from "./manifest";

const lineFeed = 10;

/** Fast, because the machine also serves. */
const gzip = () => createGzip({ level: 3 });

/** Writes lines of text into a new compressed file of the backup. */
export async function writeLines(
  folder: string,
  file: string,
  lines: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<StoredFile & { rows: number }> {
  const place = path.join(folder, file);
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  const digest = new Digest();
  let rows = 0;
  await pipeline(
    lines,
    async function* count(chunks: AsyncIterable<Uint8Array | string>) {
      for await (const chunk of chunks) {
        const bytes = Buffer.from(chunk as Uint8Array);
        for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) rows++;
        yield bytes;
      }
    },
    gzip(),
    digest.pass(),
    createWriteStream(place, { flags: "wx", mode: 0o600, flush: true }),
    { signal },
  );
  return { file, rows, ...digest.result() };
}

const columnsOf = ({ columns }: Pick<Table, "columns">) => columns.map(quoted).join(", ");

/** Copies the rows of a table, as the transaction of `sql` sees them, into a file of the backup. */
export async function copyOut(sql: postgres.Sql, table: Table, folder: string, signal: AbortSignal): Promise<StoredTable> {
  // A query, because Postgres copies no partitioned table by its name.
  const rows = await sql.unsafe(`copy (select ${columnsOf(table)} from ${quotedTable(table)}) to stdout`).readable();
  const stored = await writeLines(folder, `database/${table.schema}.${table.name}.gz`, rows, signal);
  return { ...table, ...stored };
}

/** Copies the rows of a backup's table into the empty table of that name, and counts them. @throws StartError */
export async function copyIn(sql: postgres.TransactionSql, table: StoredTable, folder: string, signal: AbortSignal): Promise<void> {
  const refused = (cause?: unknown) =>
    new StartError(
      `Postgres refused the rows of ${table.schema}.${table.name}${cause instanceof Error ? ` (${cause.message})` : ""}: its log says why.`,
      { cause },
    );
  const target = await sql.unsafe(`copy ${quotedTable(table)} (${columnsOf(table)}) from stdin`).writable();
  try {
    await pipeline(createReadStream(path.join(folder, table.file)), createGunzip(), target, { end: false, signal });
    await flush(target);
  } catch (error) {
    throw signal.aborted ? error : refused(error);
  }
  // The driver never ends a copy that Postgres refuses at its end. The next statement of the transaction then fails.
  target.end();
  const [counted] = await sql.unsafe(`select count(*)::int8 as rows from ${quotedTable(table)}`).catch((error) => {
    throw refused(error);
  });
  if (Number(counted?.rows) !== table.rows) {
    throw new StartError(`${table.schema}.${table.name} has ${counted?.rows} rows after the copy, and ${table.rows} in the backup.`);
  }
}

/** Resolves when every byte written so far is on the wire. */
function flush(target: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    target.once("error", reject);
    target.write("", (error) => (error ? reject(error) : resolve()));
  });
}
