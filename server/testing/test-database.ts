import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { closeDatabase } from "@/server/platform/database";

/**
 * Gives a test file a migrated, empty Postgres database, a data folder and a workspace root of its own, and takes them
 * away after its last test. Call it once, at the top of the file; `db()` then works as in production.
 * @throws Error when something has read the environment before, because that would be somebody else's database.
 */
export function useTestDatabase(): void {
  if (Symbol.for("handrail.env") in globalThis) throw new Error("A module read env() while it was imported; read it inside a function");

  const name = `handrail_test_${randomBytes(6).toString("hex")}`;
  const url = new URL(inject("maintenanceDatabaseUrl"));
  url.pathname = `/${name}`;
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-test-"));
  const workspaceRoot = path.join(folder, "workspaces");
  mkdirSync(workspaceRoot);
  process.env.DATABASE_URL = url.href;
  process.env.HANDRAIL_SECRET_KEY = randomBytes(32).toString("base64");
  process.env.HANDRAIL_DATA_DIR = folder;
  process.env.HANDRAIL_WORKSPACE_ROOT = workspaceRoot;
  process.env.HANDRAIL_LOG_LEVEL ??= "silent";

  beforeAll(() => maintain((sql) => sql`create database ${sql(name)} template ${sql(inject("templateDatabase"))}`));

  afterAll(async () => {
    await closeDatabase();
    await maintain((sql) => sql`drop database if exists ${sql(name)} with (force)`);
    await rm(folder, { recursive: true, force: true });
  });
}

async function maintain(statement: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(inject("maintenanceDatabaseUrl"), { max: 1, onnotice: () => {} });
  try {
    await statement(sql);
  } finally {
    await sql.end();
  }
}
