import "server-only";
import type postgres from "postgres";
import { readMigrations } from "@/db/migrate";
import { StartError } from "@/db/start-error";
import type { Migration } from "./manifest";

/** Returns the migrations of a database in their order. @throws StartError for a database that this Handrail does not know */
export async function appliedMigrations(sql: postgres.Sql, migrationsFolder: string): Promise<Migration[]> {
  const known = await readMigrations(migrationsFolder);
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (!table?.name) return [];
  const rows = await sql`select created_at from drizzle.__drizzle_migrations order by created_at`;
  return rows.map(({ created_at }) => {
    const migration = known.find(({ when }) => when === Number(created_at));
    if (!migration) throw new StartError("This Handrail does not know the database's migrations: use the version that last ran on it.");
    return migration;
  });
}

/** @throws StartError when the migrations of a backup are not the first ones of this Handrail */
export async function assertKnownMigrations(migrations: readonly Migration[], version: string, migrationsFolder: string): Promise<void> {
  const known = await readMigrations(migrationsFolder);
  if (migrations.every(({ tag, when }, index) => known[index]?.tag === tag && known[index].when === when)) return;
  throw new StartError(
    `The backup was made by Handrail ${version}, which has migrations that this one does not know: restore it with ${version} or a later version.`,
  );
}
