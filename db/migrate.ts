import "server-only";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { z } from "zod";
import { StartError } from "./start-error";

const Journal = z.looseObject({ entries: z.array(z.looseObject({ when: z.number(), tag: z.string() })) });

/** Returns the migrations of the generated SQL, in their order. */
export async function readMigrations(folder: string): Promise<{ when: number; tag: string }[]> {
  return (await readJournal(folder)).entries.map(({ when, tag }) => ({ when, tag }));
}

const readJournal = async (folder: string) => Journal.parse(JSON.parse(await readFile(path.join(folder, "meta/_journal.json"), "utf8")));

/**
 * Applies the first migrations only: a backup of an earlier version needs the tables of that version.
 *
 * @param count of the migrations
 * @throws StartError as `migrateDatabase`
 */
export async function migrateToEarlier(url: string, folder: string, count: number): Promise<number> {
  const journal = await readJournal(folder);
  const first = await mkdtemp(path.join(tmpdir(), "handrail-migrations-"));
  try {
    await mkdir(path.join(first, "meta"));
    const entries = journal.entries.slice(0, count);
    await writeFile(path.join(first, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) await copyFile(path.join(folder, `${tag}.sql`), path.join(first, `${tag}.sql`));
    return await migrateDatabase(url, first);
  } finally {
    await rm(first, { recursive: true, force: true });
  }
}

/** Arbitrary key of the advisory lock, the same for all replicas. */
const lockKey = 4_815_162_342;
const lockTimeoutMs = 5 * 60_000;

/**
 * Applies the pending migrations. Replicas that start together take turns.
 *
 * @param folder of the generated SQL
 * @returns how many migrations were applied
 * @throws StartError when the database is newer than the code, or refuses
 */
export async function migrateDatabase(url: string, folder: string): Promise<number> {
  const journal = await readJournal(folder);
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: "handrail-migrate" } });
  try {
    if ((await pendingOf(sql, journal.entries)) === 0) return 0;
    await lock(sql);
    const pending = await pendingOf(sql, journal.entries);
    await migrate(drizzle(sql), { migrationsFolder: folder });
    return pending;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
    throw new StartError(`The database could not be brought up to this version (${reason}); nothing was changed.`, { cause: error });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws StartError when the database has an unknown migration: a later one, or one from before the initial migration. */
async function pendingOf(sql: postgres.Sql, known: { when: number; tag: string }[]): Promise<number> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (!table?.name) return known.length;
  const applied = await sql`select created_at from drizzle.__drizzle_migrations`;
  const seen = new Set(applied.map(({ created_at }) => Number(created_at)));
  const knownMoments = new Set(known.map(({ when }) => when));
  const unknown = [...seen].filter((moment) => !knownMoments.has(moment));
  const initial = Math.min(...knownMoments);
  if (unknown.some((moment) => moment < initial)) {
    throw new StartError(
      "The database was made by a development version, whose migrations have since become one. Nothing was changed. Start with an empty database: name one in DATABASE_URL, or move the data folder (.data) away.",
    );
  }
  if (unknown.length > 0) {
    throw new StartError(
      "The database is newer than this Handrail: start the version that it was last used with, or restore a backup from before the upgrade.",
    );
  }
  return known.filter(({ when }) => !seen.has(when)).length;
}

/** Polls for the lock, so that no statement blocks; the lock belongs to the session and ends with the session. */
async function lock(sql: postgres.Sql): Promise<void> {
  const deadline = Date.now() + lockTimeoutMs;
  for (;;) {
    const [answer] = await sql`select pg_try_advisory_lock(${lockKey}) as held`;
    if (answer?.held) return;
    if (Date.now() > deadline)
      throw new StartError("Another Handrail has been migrating the database for five minutes: see what it is doing.");
    await pause(200);
  }
}
