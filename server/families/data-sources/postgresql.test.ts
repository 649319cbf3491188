import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, inject, test, vi } from "vitest";
import { DataSourceDraft } from "@/contracts/data-sources";
import { auditEvents, dataSources } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { authorize } from "@/server/testing/builders";
import { useForeignDatabase } from "@/server/testing/foreign-database";
import { submitCalls, useStage } from "@/server/testing/stage";
import { syncTools } from "@/server/tools/sync-tools";
import { dataSourcesOf } from "./capability";
import { closeConnections } from "./connections";
import { createDataSource, getDataSource, listDataSources, removeDataSource, updateDataSource } from "./data-sources";
import { dataSourcesCheck } from "./data-sources-check";
import { testDataSource } from "./test-data-source";
import { datasource } from "./tools/datasource";
import { sqlQuery } from "./tools/sql-query";

const stage = useStage();
const shop = useForeignDatabase(async (sql) => {
  await sql.unsafe(`
    create table orders (id bigint primary key, country text not null, total numeric(20,4), paid boolean, at timestamptz, note bytea);
    comment on table orders is 'Orders of the shop';
    insert into orders select 9007199254740990 + n, (array['nl','de','fr'])[1 + n % 3], n * 1.5, n % 2 = 0, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 day', '\\x00ff' from generate_series(1, 700) n;
    create sequence numbers_used;
    create function leak() returns int language sql volatile as 'select 1';
    create view totals as select country, sum(total) as total from orders group by country;
  `);
});
afterAll(closeConnections);

const writer = (actor: Actor) => authorize(actor, "data:write");
const admin = () => writer(stage.built.admin);
const never = new AbortController().signal;
const draftOf = (values: object = {}) => {
  const { superuser, ...server } = shop;
  return DataSourceDraft.parse({ name: "shop", kind: "postgresql", description: "Orders", ...server, ...values });
};
const query = (sql: string, source = "shop") => dataSourcesOf(stage.built.workspace.id).query(source, sql, never);

beforeEach(async () => {
  await createDataSource(admin(), draftOf());
  // In tier core, so that they are callable at once.
  const tools = [datasource, sqlQuery].map((tool) => ({ ...tool, defaultTier: "core" as const }));
  await db().transaction((tx) => syncTools(tx, { workspaceId: stage.built.workspace.id, mcpServerId: null }, tools));
});

test("doctor connects to each enabled data source, and names the one that does not answer", async () => {
  const check = () => dataSourcesCheck.run(stage.built.workspace.id);
  expect(await check()).toEqual([{ name: "Data sources", status: "ok", sentence: "1 of 1 enabled data sources answer." }]);
  await createDataSource(admin(), draftOf({ name: "gone", password: "wrong" }));
  await createDataSource(admin(), draftOf({ name: "off", password: "wrong", enabled: false }));
  expect(await check()).toMatchObject([
    { sentence: "1 of 2 enabled data sources answer." },
    { name: "Data source gone", status: "warning", link: { path: expect.stringContaining("/data-sources?source=") } },
  ]);
});

test("an agent finds a data source, its tables and its columns, and reads rows as a table with a chart", async () => {
  const turn = await submitCalls(stage, [
    ["query_datasource", { action: "list_datasources" }],
    ["datasource", { action: "list_tables", datasource_id: "shop" }],
    ["datasource", { action: "describe_table", dataSource: "shop", tableName: "orders" }],
    [
      "execute_sql",
      { datasourceId: "shop", sql: "SELECT country, sum(total)::float8 AS total FROM orders GROUP BY 1 ORDER BY 1 -- all\n;" },
    ],
  ]);
  const [sources, tables, columns, rows] = turn.calls.map(({ content }) => content);
  expect(turn.calls.map(({ status }) => status)).toEqual(Array(4).fill("succeeded"));
  expect(sources).toContain(`| shop | postgresql | ${shop.database} | Orders |`);
  expect(tables).toContain("| orders | table | Orders of the shop |");
  expect(tables).toContain("| totals | view |");
  expect(columns).toContain("| id | bigint | no | yes |");
  expect(rows).toContain("| de | 123025.5 |");
  expect(rows).toContain('```chart\n{"type":"pie","categories":["de","fr","nl"],"series":[{"name":"total"');
  expect(JSON.stringify(turn)).not.toContain(shop.password);
});

test("values arrive exactly: long integers and decimals as text, times in ISO 8601, bytes by their length", async () => {
  const { columns, rows } = await query(
    "select id, total, paid, at, note, null as nothing, 'a|b' as t, id from orders order by id limit 1",
  );
  expect(columns.map(({ type }) => type)).toEqual(["number", "number", "boolean", "time", "bytes", "text", "text", "number"]);
  expect(rows).toEqual([
    ["9007199254740991", "1.5000", false, "2026-01-02T00:00:00Z", "2 bytes, base64 AP8=", null, "a|b", "9007199254740991"],
  ]);
});

test("no more than 500 rows and bounded cells leave the database", async () => {
  const many = await query("select * from orders limit 100000");
  expect([many.rows.length, many.isCut]).toEqual([500, true]);
  const wide = await query("select repeat('x', 100000000) as x");
  expect(String(wide.rows[0]?.[0]).length).toBeLessThan(4_100);
  await expect(query(`select ${Array.from({ length: 101 }, (_, n) => `${n} as c${n}`)}`)).rejects.toThrow(
    "101 columns, and 100 are the most",
  );
});

const attacks = [
  "select lo_export(1, '/tmp/x')",
  "select pg_read_file('/etc/passwd')",
  "select \"pg_read_file\"('/etc/passwd')",
  "select pg_catalog.pg_read_file /* x */ ('/etc/passwd')",
  "select * from dblink('host=127.0.0.1', 'select 1') as t(x int)",
  "select nextval('numbers_used')",
  "select setval('numbers_used', 9)",
  "select set_config('transaction_read_only', 'off', true)",
  "select pg_sleep(20)",
  "select leak()",
  "select * from leak()",
  "select query_to_xml('select 1', true, true, '')",
  "select table_to_xml('pg_authid', true, true, '')",
  "select rolpassword from pg_authid",
  'select passwd from pg_catalog."pg_shadow"',
  "select pg_terminate_backend(1)",
  "select pg_advisory_lock(1)",
  "with gone as (delete from orders returning *) select * from gone",
  "with new as (insert into orders(id, country) values (1, 'x') returning *) select * from new",
  "select * into copy from orders",
  "select 1 as a from orders for update",
  "select 1; drop table orders",
  "select 1) as q(c0); drop table orders; --",
  "select 1) as q(c0) union select rolname::text from (select 1",
  "select U&'\\0041'",
  "select $$a$$ $$b",
  "select 1 /* open",
];
test.each(attacks)("refused: %s", async (sql) => {
  await expect(query(sql)).rejects.toMatchObject({ code: "invalid" });
  const { rows } = await query("select count(*)::int4 from orders");
  expect(rows).toEqual([[700]]);
});

test.each(["copy orders to program 'id'", "do $$ begin end $$", "explain analyze delete from orders", "set role postgres", "show all"])(
  "a tool call with another statement is refused before it reaches the database: %s",
  async (sql) => {
    const turn = await submitCalls(stage, [["sql_query", { dataSource: "shop", sql }]]);
    expect(turn.calls[0]).toMatchObject({ status: "failed", content: expect.stringContaining("one SELECT") });
  },
);

test.each([
  "select 1; select 2",
  "with d as (delete from orders returning *) select * from d",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  "select load_extension('x')",
  "select set_config('a.b', 'c', false)",
])("nobody is asked about a statement that the tool refuses: %s", async (sql) => {
  const turn = await submitCalls(stage, [["sql_query", { dataSource: "shop", sql }]]);
  expect(turn).toMatchObject({ status: "completed", calls: [{ status: "failed", content: expect.stringContaining("one SELECT") }] });
});

test("E'...' strings, dollar quotes, comments and common table expressions are read as PostgreSQL reads them", async () => {
  expect((await query("select E'it\\'s; /*' as a, $x$ ; -- $x$ as b /* a /* nested */ ; */")).rows).toEqual([["it's; /*", " ; -- "]]);
  expect((await query("with t as (select 1 as n) select n, random() >= 0 as r from t")).rows).toEqual([[1, true]]);
});

test("a superuser has the rights of a reader, and its files stay out of reach", async () => {
  const { username, password } = new URL(inject("maintenanceDatabaseUrl"));
  await createDataSource(
    admin(),
    draftOf({ name: "root", username: decodeURIComponent(username), password: decodeURIComponent(password) || "none" }),
  );
  expect((await query("select count(*)::int4 from orders", "root")).rows).toEqual([[700]]);
  expect((await query("select current_user::text", "root")).rows).toEqual([["pg_read_all_data"]]);
});

test("Handrail's own database is refused", async () => {
  const { username, password, pathname } = new URL(String(process.env.DATABASE_URL));
  const own = draftOf({ name: "own", username, password: password || "none", database: pathname.slice(1) });
  const { id } = await createDataSource(admin(), own);
  expect(await testDataSource(admin(), id)).toMatchObject({
    success: false,
    message: expect.stringContaining("database of Handrail itself"),
  });
  await expect(query("select count(*) from users", "own")).rejects.toThrow("database of Handrail itself");
});

test("a cancelled call cancels its query at the server", async () => {
  const stop = new AbortController();
  const slow = dataSourcesOf(stage.built.workspace.id).query(
    "shop",
    "select count(*) from orders a, orders b, orders c, orders d",
    stop.signal,
  );
  const active = async () =>
    (
      await query(
        "select count(*)::int4 from pg_stat_activity where query like 'fetch%' and application_name = 'handrail-data-source' and pid <> pg_backend_pid() and state = 'active'",
      )
    ).rows[0]?.[0];
  await vi.waitFor(async () => expect(await active()).toBe(1));
  stop.abort();
  await expect(slow).rejects.toMatchObject({ code: "timed_out" });
  await vi.waitFor(async () => expect(await active()).toBe(0));
});

test("a password is sealed, never answered, and not sent to another server or user", async () => {
  const [source] = (await listDataSources(admin())).items;
  if (!source) throw new Error("no data source");
  const [row] = await db().select().from(dataSources).where(eq(dataSources.id, source.id));
  const { password, ...draft } = draftOf();
  await expect(updateDataSource(admin(), source.id, { ...draft, host: "evil.example" }, null)).rejects.toThrow("password is needed again");
  const renamed = await updateDataSource(admin(), source.id, { ...draft, name: "store" }, source.version);
  await expect(updateDataSource(admin(), source.id, draft, source.version)).rejects.toMatchObject({ code: "stale_version" });
  expect(renamed).toMatchObject({ name: "store", hasPassword: true, version: 2 });
  expect((await query("select 1 as one", "store")).rows).toEqual([[1]]);
  await expect(query("select 1 as one", "shop")).rejects.toMatchObject({ code: "not_found" });
  await removeDataSource(admin(), source.id, 2);
  await expect(getDataSource(admin(), source.id)).rejects.toMatchObject({ code: "not_found" });
  const audited = await db().select().from(auditEvents).where(eq(auditEvents.subject, source.id)).orderBy(auditEvents.at);
  expect(audited.map(({ event }) => event)).toEqual(["data_source.created", "data_source.updated", "data_source.removed"]);
  expect(JSON.stringify([source, row, renamed, audited])).not.toContain(password);
});

test("a wrong password is told to the admin who tests, and a disabled data source to nobody else", async () => {
  const wrong = await createDataSource(admin(), draftOf({ name: "wrong", password: "not-this-one", enabled: false }));
  const tested = await testDataSource(admin(), wrong.id);
  expect(tested.success).toBe(false);
  expect(tested.message).toContain("PostgreSQL refused: password authentication failed");
  expect((await dataSourcesOf(stage.built.workspace.id).list()).map(({ name }) => name)).toEqual(["shop"]);
  await expect(query("select 1", "wrong")).rejects.toMatchObject({ code: "not_found" });
});
