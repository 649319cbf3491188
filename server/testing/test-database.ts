import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { type RunningEngine, startEngine } from "@/server/jobs/engine";
import { closeDatabase } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import { enqueue, type NewWorkItem, provideEngine } from "@/server/platform/queue";
import { beginAsNewProcess } from "./begin-as-new-process";
import { queues } from "./queues";
import { keepSystemFolders, offerSystemFolders } from "./shared-system-folder";

/**
 * Gives a test file its own migrated, empty Postgres database, data folder and workspace root, and removes them after the
 * last test. Call it once, at the top of the file; `db()` then works as in production.
 */
export function useTestDatabase(): void {
  beginAsNewProcess();
  const name = `handrail_test_${randomBytes(6).toString("hex")}`;
  const url = new URL(inject("maintenanceDatabaseUrl"));
  url.pathname = `/${name}`;
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-test-"));
  const workspaceRoot = path.join(folder, "workspaces");
  mkdirSync(workspaceRoot);
  offerSystemFolders(folder);
  process.env.DATABASE_URL = url.href;
  process.env.HANDRAIL_SECRET_KEY = randomBytes(32).toString("base64");
  process.env.HANDRAIL_DATA_DIR = folder;
  process.env.HANDRAIL_WORKSPACE_ROOT = workspaceRoot;
  process.env.HANDRAIL_LOG_LEVEL ??= "silent";
  // Fewer than usual, because each connection to a new database costs more than most tests do.
  processWide("connectionLimit", () => 4);

  // Copied as files: a third of the time that the server takes to write each page to its log.
  beforeAll(() => maintain((sql) => sql`create database ${sql(name)} template ${sql(inject("templateDatabase"))} strategy file_copy`));

  // Most files queue no work; the engine only stores work, unless a file starts workers.
  let engine: Promise<RunningEngine> | null = null;
  provideEngine({
    insert: async (tx, queue, items) => {
      engine ??= startEngine(queues, { works: false });
      await engine;
      await enqueue(tx, queue, items as readonly NewWorkItem<Record<string, unknown>>[]);
    },
  });

  afterAll(async () => {
    await (await engine)?.stop();
    await closeDatabase();
    for (const database of [name, ...dropped.splice(0)])
      await maintain((sql) => sql`drop database if exists ${sql(database)} with (force)`);
    keepSystemFolders(folder);
    await rm(folder, { recursive: true, force: true });
  });
}

/** Makes an empty database without tables, which is dropped after the last test of the file. Returns its URL. */
export async function emptyDatabase(): Promise<string> {
  const name = `handrail_test_${randomBytes(6).toString("hex")}`;
  const url = new URL(inject("maintenanceDatabaseUrl"));
  url.pathname = `/${name}`;
  await maintain((sql) => sql`create database ${sql(name)}`);
  dropped.push(name);
  return url.href;
}

/** Databases of `emptyDatabase`, dropped with the file's own. */
const dropped: string[] = [];

async function maintain(statement: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(inject("maintenanceDatabaseUrl"), { max: 1, onnotice: () => {} });
  try {
    await statement(sql);
  } finally {
    await sql.end();
  }
}
