import "server-only";
import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import postgres from "postgres";
import { migrateToEarlier } from "@/db/migrate";
import { StartError } from "@/db/start-error";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { bossSchema } from "@/server/jobs/work-items";
import { type ForeignKey, type Queryable, quoted, quotedTable, readForeignKeys, readTables, type Table } from "./catalog";
import { Contents } from "./contents";
import { copyIn } from "./copy-table";
import { assertWhole } from "./digest";
import { assertEmptyTree, removeStagedTree, stageTree, unstageTree } from "./file-tree";
import { inParallel } from "./in-parallel";
import { treeRoots } from "./make-backup";
import { type Manifest, readManifest, type TreeName } from "./manifest";
import { appliedMigrations, assertKnownMigrations } from "./migrations";
import { counted, type Say, sayNowAndThen } from "./progress";

type Options = { url: string; folder: string; migrationsFolder: string; signal: AbortSignal; say: Say };
type Tx = postgres.TransactionSql;
/** Arguments of every step. */
type Restoring = { folder: string; manifest: Manifest; signal: AbortSignal; say: Say };

const variables: Record<TreeName, string> = { workspaces: "HANDRAIL_WORKSPACE_ROOT", mcp: "HANDRAIL_DATA_DIR" };

/**
 * Restores a backup into an empty database and empty folders. Every file is compared with its hash; rows, foreign keys and
 * folders are complete before the one transaction commits, so an interrupted restore leaves an empty database.
 * @throws StartError when the backup is not whole, or its target not empty
 */
export async function restoreBackup({ url, folder, migrationsFolder, signal, say }: Options): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const restoring = { folder, manifest, signal, say };
  await assertKnownMigrations(manifest.migrations, manifest.version, migrationsFolder);
  say(`Backup of ${manifest.createdAt}, made by Handrail ${manifest.version}`);
  for (const file of [...manifest.tables, ...manifest.trees, manifest.workSchema, manifest.blobs]) {
    await assertWhole(folder, { file: file.file, bytes: file.bytes, sha256: file.sha256 }, signal);
  }
  const roots = treeRoots();
  for (const { name } of manifest.trees) await assertEmptyTree(roots[name], variables[name]);

  const connection = { application_name: "handrail-restore", statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
  const sql = postgres(url, { max: 1, onnotice: () => {}, idle_timeout: 0, max_lifetime: null, connection });
  try {
    await assertTarget(sql, manifest, migrationsFolder);
    await migrateToEarlier(url, migrationsFolder, manifest.migrations.length);
    const contents = new Contents(folder, signal);
    await restoreBlobs(contents, restoring);
    for (const tree of manifest.trees) {
      await stageTree(path.join(folder, tree.file), roots[tree.name], contents);
      say(`${tree.name === "mcp" ? "Folders of MCP servers" : "Workspaces"}: restored`);
    }
    await sql.begin(async (tx) => {
      await restoreDatabase(tx, restoring);
      signal.throwIfAborted();
      for (const { name } of manifest.trees) await unstageTree(roots[name]);
    });
    return manifest;
  } catch (error) {
    for (const { name } of manifest.trees) await removeStagedTree(roots[name]);
    throw error;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** @throws StartError when the database has rows, or other migrations than the backup */
async function assertTarget(sql: postgres.Sql, manifest: Manifest, migrationsFolder: string): Promise<void> {
  const applied = await appliedMigrations(sql, migrationsFolder);
  if (applied.length > 0) await assertEmpty(sql, await readTables(sql));
  const isPrefix = applied.every(({ when }, index) => manifest.migrations[index]?.when === when);
  if (!isPrefix) {
    throw new StartError(
      `The database has later tables than the backup of Handrail ${manifest.version}: restore into a new database, which this Handrail then brings up to its version at the start.`,
    );
  }
}

async function restoreBlobs(contents: Contents, { folder, manifest, say }: Restoring): Promise<void> {
  const progress = sayNowAndThen(say);
  let done = 0;
  const hashes = createInterface({ input: createReadStream(path.join(folder, manifest.blobs.file)).pipe(createGunzip()) });
  for await (const _ of inParallel(hashes, async (sha256) => blobs().put(await contents.read(sha256)))) {
    done++;
    progress(() => `blob ${done} of ${manifest.blobs.count}`);
  }
  say(`Blobs: ${counted(done, "blob")}`);
}

async function restoreDatabase(tx: Tx, restoring: Restoring): Promise<void> {
  const { folder, manifest } = restoring;
  await takeNoLimits(tx);
  const before = await readTables(tx);
  await tx.unsafe(`lock table ${before.map(quotedTable).join(", ")} in access exclusive mode`);
  await assertEmpty(tx, before);
  await tx.unsafe(`drop schema if exists ${quoted(bossSchema)} cascade`);
  await tx.unsafe(await text(createReadStream(path.join(folder, manifest.workSchema.file)).pipe(createGunzip())));
  // pg-boss sets limits for its own short transaction.
  await takeNoLimits(tx);
  for (const month of manifest.auditMonths) await makeAuditMonth(tx, month);

  const foreignKeys = await readForeignKeys(tx);
  await tx.unsafe(foreignKeys.map((key) => `alter table ${tableOf(key)} drop constraint ${quoted(key.name)}`).join(";"));
  const tables = await readTables(tx);
  await copyTables(tx, tables, restoring);
  // Postgres checks every row as it adds a foreign key.
  await tx.unsafe(foreignKeys.map((key) => `alter table ${tableOf(key)} add constraint ${quoted(key.name)} ${key.definition}`).join(";"));
  await tx.unsafe(`analyze ${tables.map(quotedTable).join(", ")}`);
}

async function copyTables(tx: Tx, tables: readonly Table[], { folder, manifest, signal, say }: Restoring): Promise<void> {
  const nameOf = (table: Pick<Table, "schema" | "name">) => `${table.schema}.${table.name}`;
  const present = new Set(tables.map(nameOf));
  const progress = sayNowAndThen(say);
  for (const [index, table] of manifest.tables.entries()) {
    if (!present.has(nameOf(table))) throw new StartError(`The backup has a table that Handrail does not have: ${nameOf(table)}.`);
    progress(() => `table ${index + 1} of ${manifest.tables.length}: ${table.name}`);
    await copyIn(tx, table, folder, signal);
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  say(`Database: ${counted(rows, "row")} of ${counted(manifest.tables.length, "table")}`);
}

const tableOf = ({ schema, table }: ForeignKey) => quotedTable({ schema, name: table });

async function takeNoLimits(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`;
  await tx`set local idle_in_transaction_session_timeout = 0`;
  await tx`set local lock_timeout = '10s'`;
}

/** Tables that a start without any work fills: the queues of durable work. */
const ownTables = new Set(["queue", "schedule", "subscription"].map((name) => `${bossSchema}.${name}`));

/** @throws StartError that names a table with rows */
async function assertEmpty(sql: Queryable, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    if (ownTables.has(`${table.schema}.${table.name}`)) continue;
    const [row] = await sql.unsafe(`select exists (select from ${quotedTable(table)}) as filled`);
    if (row?.filled) {
      throw new StartError(
        `The database is not empty (${table.name} has rows), and a restore replaces nothing: name an empty database in DATABASE_URL, or a new data folder in HANDRAIL_DATA_DIR.`,
      );
    }
  }
}

async function makeAuditMonth(tx: Tx, month: string): Promise<void> {
  const [year, number] = month.split("_").map(Number) as [number, number];
  const bound = (months: number) => new Date(Date.UTC(year, number - 1 + months, 1)).toISOString();
  await tx.unsafe(
    `create table if not exists ${quoted(`audit_events_${month}`)} partition of public.audit_events for values from ('${bound(0)}') to ('${bound(1)}')`,
  );
}
