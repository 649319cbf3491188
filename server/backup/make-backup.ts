import "server-only";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";
import { StartError } from "@/db/start-error";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { env } from "@/server/platform/env";
import { toErrorMessage } from "@/server/platform/errors";
import { version } from "@/server/platform/version";
import { quotedTable, readAuditMonths, readTables, type Table } from "./catalog";
import { Contents } from "./contents";
import { copyOut, writeLines } from "./copy-table";
import { listTree, type Skipped } from "./file-tree";
import { inParallel } from "./in-parallel";
import { type Manifest, manifestFile, manifestText, type StoredTable, type TreeName, treeNames } from "./manifest";
import { appliedMigrations } from "./migrations";
import { counted, type Say, sayNowAndThen, size } from "./progress";
import { workSchemaOf } from "./work-schema";

type Options = { url: string; folder: string; migrationsFolder: string; signal: AbortSignal; say: Say };
type Sql = postgres.Sql;
/** Arguments of every step. */
type Copying = { folder: string; contents: Contents; signal: AbortSignal; say: Say };
type Blobs = { found: Map<string, number>; missing: string[] };

/** The folders that a backup keeps, and where they are. */
export const treeRoots = (): Record<TreeName, string> => ({ workspaces: env().workspaceRoot, mcp: path.join(env().dataDir, "mcp") });

/**
 * Writes database, blobs and folders into an empty folder while the product may serve. The tables are those of one moment;
 * the folders' files are as they are when they are read. The manifest comes last, so nothing unfinished looks whole.
 * @throws StartError when the folder cannot take a backup, or the database is another version's
 */
export async function makeBackup({ url, folder, migrationsFolder, signal, say }: Options): Promise<Manifest> {
  await prepareBackupFolder(folder);
  const connection = { application_name: "handrail-backup", statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
  const sql = postgres(url, { max: 1, onnotice: () => {}, idle_timeout: 0, max_lifetime: null, connection });
  try {
    const manifest = await copyAll(sql, migrationsFolder, { folder, contents: new Contents(folder, signal), signal, say });
    await writeManifest(folder, manifest);
    return manifest;
  } catch (error) {
    await clear(folder);
    throw isFull(error)
      ? new StartError(`No space is left for the backup in ${folder}; what was written is removed.`, { cause: error })
      : error;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

async function copyAll(sql: Sql, migrationsFolder: string, copying: Copying): Promise<Manifest> {
  const migrations = await appliedMigrations(sql, migrationsFolder);
  if (migrations.length === 0) throw new StartError("The database holds no Handrail: check DATABASE_URL or HANDRAIL_DATA_DIR.");

  // Before the tables: a blob that is deleted while the tables are copied is in the backup already.
  const before = await copyBlobs(sql, copying);
  const transaction = await sql.reserve();
  await transaction`begin isolation level repeatable read read only`;
  await transaction`set local timezone to 'UTC'`;
  await transaction`set local intervalstyle to 'postgres'`;
  const tables = await readTables(transaction);
  // A migration that rewrites a table would leave it empty for the moment of this transaction.
  await transaction.unsafe(`lock table ${tables.map(quotedTable).join(", ")} in access share mode`);
  const moments = await transaction<{ now: Date }[]>`select now() as now`;
  const named = await copyBlobs(transaction, copying, before);
  const stored = await copyTables(transaction, tables, copying);
  const [installation] = await transaction`select to_regclass('public.installation') as name`;
  const [proof] = installation?.name ? await transaction`select key_proof from public.installation` : [];
  const facts = {
    migrations: await appliedMigrations(transaction, migrationsFolder),
    auditMonths: await readAuditMonths(transaction),
    workSchema: await storeText("database/work-schema.sql.gz", await workSchemaOf(transaction), copying),
    blobs: await storeBlobList(named.found, copying),
  };
  await transaction`commit`;
  transaction.release();
  return {
    format: 1,
    version,
    createdAt: (moments[0]?.now ?? new Date()).toISOString(),
    keyProof: (proof?.key_proof as string | undefined) ?? null,
    tables: stored,
    ...facts,
    missingBlobs: named.missing,
    trees: await copyTrees(copying),
  };
}

async function copyTables(sql: Sql, tables: readonly Table[], { folder, signal, say }: Copying): Promise<StoredTable[]> {
  const stored: StoredTable[] = [];
  const progress = sayNowAndThen(say);
  for (const table of tables) {
    progress(() => `table ${stored.length + 1} of ${tables.length}: ${table.name}`);
    stored.push(await copyOut(sql, table, folder, signal));
  }
  const rows = stored.reduce((sum, table) => sum + table.rows, 0);
  const bytes = stored.reduce((sum, table) => sum + table.bytes, 0);
  say(`Database: ${counted(rows, "row")} of ${counted(stored.length, "table")}, ${size(bytes)} compressed`);
  return stored;
}

/** Stores the blobs that the database names now, but for those of an earlier pass. */
async function copyBlobs(sql: Sql, { contents, say }: Copying, earlier: Blobs = { found: new Map(), missing: [] }): Promise<Blobs> {
  const named = await sql<{ sha256: string }[]>`
    select sha256 from public.artifacts
    union select before_blob from public.file_changes where before_blob is not null
    union select after_blob from public.file_changes where after_blob is not null
    union select sha256 from public.knowledge_sources
    union select sha256 from public.audit_archives where unused_since is null`;
  const result: Blobs = { found: new Map(), missing: [] };
  const progress = sayNowAndThen(say);
  const copied = inParallel(iterate(named), async ({ sha256 }) => ({
    sha256,
    bytes: earlier.found.get(sha256) ?? (await copyBlob(sha256, contents)),
  }));
  for await (const { sha256, bytes } of copied) {
    if (bytes === null) result.missing.push(sha256);
    else result.found.set(sha256, bytes);
    progress(() => `blob ${result.found.size} of ${named.length}`);
  }
  return result;
}

/** @returns null for a blob that the store does not have, or has with other bytes */
async function copyBlob(sha256: string, contents: Contents): Promise<number | null> {
  try {
    const { stream } = await blobs().read(sha256);
    const added = await contents.add(stream as unknown as AsyncIterable<Uint8Array>);
    return added.sha256 === sha256 ? added.bytes : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "not_found") return null;
    throw error;
  }
}

async function storeBlobList(found: ReadonlyMap<string, number>, { folder, signal, say }: Copying): Promise<Manifest["blobs"]> {
  const lines = [...found.keys()].map((sha256) => `${sha256}\n`);
  const { rows: count, ...stored } = await writeLines(folder, "files/blobs.gz", iterate(lines), signal);
  say(`Blobs: ${counted(count, "blob")}, ${size([...found.values()].reduce((sum, bytes) => sum + bytes, 0))}`);
  return { count, ...stored };
}

async function storeText(file: string, text: string, { folder, signal }: Copying): Promise<Manifest["workSchema"]> {
  const { rows: _, ...stored } = await writeLines(folder, file, iterate([text]), signal);
  return stored;
}

async function copyTrees({ folder, contents, signal, say }: Copying): Promise<Manifest["trees"]> {
  const trees: Manifest["trees"] = [];
  const progress = sayNowAndThen(say);
  for (const name of treeNames) {
    const skipped: Skipped[] = [];
    let seen = 0;
    const { rows: count, ...stored } = await writeLines(folder, `files/${name}.gz`, entries(treeRoots()[name]), signal);
    async function* entries(root: string) {
      for await (const line of listTree(root, contents, (one) => skipped.push(one))) {
        progress(() => `${++seen} entries of ${root}`);
        yield line;
      }
    }
    trees.push({ name, count, ...stored });
    say(`${name === "mcp" ? "Folders of MCP servers" : "Workspaces"}: ${counted(count, "file or folder", "files and folders")}`);
    for (const { path: place, reason } of skipped.slice(0, 20)) say(`  left out: ${place} (${reason})`);
    if (skipped.length > 20) say(`  left out: ${skipped.length - 20} more`);
  }
  return trees;
}

async function* iterate<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** @throws StartError when the folder is not empty, lies in a folder that is backed up, or cannot be written to */
async function prepareBackupFolder(folder: string): Promise<void> {
  const { blobs: store } = env();
  const kept = [...Object.values(treeRoots()), ...(store.kind === "folder" ? [store.folder] : []), path.join(env().dataDir, "postgres")];
  const around = kept.find((root) => folder === root || folder.startsWith(`${root}${path.sep}`));
  if (around) throw new StartError(`The backup cannot lie in ${around}, which it copies: name a folder elsewhere.`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(folder)).filter((name) => name !== "lost+found");
    if (names.length > 0) throw new StartError(`${folder} is not empty: name a new folder for each backup.`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${folder} cannot be written to (${toErrorMessage(error)}): name another folder.`, { cause: error });
  }
}

/** Under another name until it is complete, because half a manifest must not look like one. */
async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const unfinished = path.join(folder, `${manifestFile}.unfinished`);
  await writeFile(unfinished, manifestText(manifest), { mode: 0o600, flag: "wx", flush: true });
  await rename(unfinished, path.join(folder, manifestFile));
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

async function clear(folder: string): Promise<void> {
  for (const name of ["database", "files", "contents", `${manifestFile}.unfinished`]) {
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
