/**
 * `npm run fixture:version`: makes a backup of a database of this version, with rows in every table, into
 * `server/backup/versions/<version>`. Run it once for each released version; `server/backup/upgrade.test.ts` holds the
 * backups against the present tables.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { migrateDatabase } from "../db/migrate";
import { makeBackup } from "../server/backup/make-backup";
import { fillEmptyTables } from "../server/backup/versions/fill-empty-tables";
import { fillVersion, versionKey } from "../server/backup/versions/fill-version";
import { closeDatabase } from "../server/platform/database/database";
import { version } from "../server/platform/version";
import { startThrowawayPostgres } from "../server/testing/throwaway-postgres";

const root = path.resolve(import.meta.dirname, "..");
const migrationsFolder = path.join(root, "drizzle");
const folder = path.join(root, "server/backup/versions", version);
const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-fixture-"));
const { url, stop } = await startThrowawayPostgres();
Object.assign(process.env, { DATABASE_URL: url, HANDRAIL_DATA_DIR: dataDir, HANDRAIL_SECRET_KEY: versionKey, HANDRAIL_LOG_LEVEL: "warn" });
try {
  await migrateDatabase(url, migrationsFolder);
  await fillVersion();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await fillEmptyTables(sql);
  await sql.end();
  await makeBackup({ url, folder, migrationsFolder, signal: new AbortController().signal, say: console.log });
} finally {
  await closeDatabase();
  await stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(0);
