import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";

/** A PostgreSQL database that is not Handrail's, with a user that may read it. */
export type ForeignDatabase = { host: string; port: number; database: string; username: string; password: string; superuser: string };

/** Creates a database with a reader and the given tables, and removes both after the last test of the file. */
export function useForeignDatabase(setup: (sql: postgres.Sql) => Promise<unknown>): ForeignDatabase {
  const url = new URL(inject("maintenanceDatabaseUrl"));
  const name = `foreign_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(12).toString("hex");
  const superuser = decodeURIComponent(url.username);
  const withSql = async (database: string, work: (sql: postgres.Sql) => Promise<unknown>) => {
    const address = new URL(url);
    address.pathname = `/${database}`;
    const sql = postgres(address.href, { max: 1, onnotice: () => {} });
    try {
      await work(sql);
    } finally {
      await sql.end();
    }
  };
  beforeAll(async () => {
    await withSql(url.pathname.slice(1), async (sql) => {
      await sql`create database ${sql(name)}`;
      await sql.unsafe(`create role "${name}" login password '${password}'`);
    });
    await withSql(name, async (sql) => {
      await setup(sql);
      await sql.unsafe(`grant usage on schema public to "${name}"; grant select on all tables in schema public to "${name}"`);
    });
  });
  afterAll(() =>
    withSql(url.pathname.slice(1), async (sql) => {
      await sql`drop database if exists ${sql(name)} with (force)`;
      await sql`drop role if exists ${sql(name)}`;
    }),
  );
  return { host: url.hostname, port: Number(url.port || 5432), database: name, username: name, password, superuser };
}
