import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { assertUsableServer } from "@/db/assert-usable-server";
import { connect } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { databaseUrl, db } from "@/server/platform/database/database";
import { useTestDatabase } from "@/server/testing/test-database";

useTestDatabase();

const folder = path.resolve(import.meta.dirname, "../../drizzle");

test("a database that is up to date is left as it is", async () => {
  expect(await migrateDatabase(databaseUrl(), folder)).toBe(0);
});

test("one of several replicas that start on an empty database migrates it, and the others wait", async () => {
  const url = new URL(databaseUrl());
  url.pathname += "_empty";
  const name = sql.identifier(url.pathname.slice(1));
  await db().execute(sql`create database ${name}`);
  try {
    const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase(url.href, folder)));
    expect(applied.filter((count) => count > 0)).toHaveLength(1);
  } finally {
    await db().execute(sql`drop database ${name} with (force)`);
  }
});

test("a database that a newer version has migrated is refused", async () => {
  await db().execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)`);
  await expect(migrateDatabase(databaseUrl(), folder)).rejects.toThrow("The database is newer than this Handrail");
});

test("a database of the development versions before the one initial migration is refused unchanged, with the way on", async () => {
  const url = new URL(databaseUrl());
  url.pathname += "_of_before";
  const name = sql.identifier(url.pathname.slice(1));
  await db().execute(sql`create database ${name}`);
  const { pool } = connect(url.href, { max: 1 });
  try {
    await pool`create schema drizzle`;
    await pool`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
    await pool`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of before', 1795296439761)`;
    await expect(migrateDatabase(url.href, folder)).rejects.toThrow(/made by a development version.*Nothing was changed.*empty database/);
    expect(await pool`select tablename from pg_tables where schemaname = 'public'`).toHaveLength(0);
  } finally {
    await pool.end();
    await db().execute(sql`drop database ${name} with (force)`);
  }
});

test("somebody who is not let in and a database that does not exist are told apart", async () => {
  const stranger = new URL(databaseUrl());
  stranger.username = "nobody_here";
  stranger.password = "not-the-password";
  await expect(assertUsableServer(stranger.href)).rejects.toThrow(
    /^DATABASE_URL is refused by .* for the user "nobody_here": check user name and password\.$/,
  );
  const missing = new URL(databaseUrl());
  missing.pathname = "/not_there";
  await expect(assertUsableServer(missing.href)).rejects.toThrow(/names the database "not_there", which does not exist/);
});
