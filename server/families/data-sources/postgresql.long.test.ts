import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { DataSourceDraft } from "@/contracts/tools/data-sources";
import { approvals, auditEvents, dataSources as dataSourceTable } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize } from "@/server/testing/builders";
import { useForeignDatabase } from "@/server/testing/services/foreign-database";
import { submitCalls, useStage } from "@/server/testing/stage";
import { syncTools } from "@/server/tools/sync-tools";
import { dataSourcesOf } from "./capability";
import { closeConnections } from "./connections";
import { dataSources } from "./data-sources";
import { dataSourcesCheck } from "./data-sources-check";
import { harmlessVolatile, refusedFunction } from "./sql/functions";
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
    create table places (k int, txt text, primary key (k, txt));
    insert into places values (0, 'a'), (1, 'b');
    create type mood as enum ('sad', 'it''s ok', 'happy');
    create domain feeling as mood;
    create table visits (
      at date, k int not null, txt text not null, mood mood, moods mood[], felt feeling,
      order_id bigint references orders, foreign key (k, txt) references places (k, txt)
    ) partition by range (at);
    create table visits_2026 partition of visits for values from ('2026-01-01') to ('2027-01-01');
    create schema hidden;
    create table hidden.secret (order_id bigint references orders);
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
  await dataSources.create({ actor: admin(), body: draftOf() });
  // In tier core, so that they are callable at once.
  const tools = [datasource, sqlQuery].map((tool) => ({ ...tool, defaultTier: "core" as const }));
  await db().transaction((tx) => syncTools(tx, { workspaceId: stage.built.workspace.id, mcpServerId: null }, tools));
});

test("doctor connects to each enabled data source, and names the one that does not answer", async () => {
  const check = () => dataSourcesCheck.run(stage.built.workspace.id);
  expect(await check()).toEqual([{ name: "Data sources", status: "ok", sentence: "1 of 1 enabled data sources answer." }]);
  await dataSources.create({ actor: admin(), body: draftOf({ name: "gone", password: "wrong" }) });
  await dataSources.create({ actor: admin(), body: draftOf({ name: "off", password: "wrong", enabled: false }) });
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

test.each([
  "copy orders to program 'id'",
  "do $$ begin end $$",
  "explain analyze delete from orders",
  "explain delete from orders",
  "explain (analyze) with d as (delete from orders returning *) select * from d",
  "explain analyze select * into copy from orders",
  "explain analyze select leak()",
  "explain analyze select pg_sleep(20)",
  "explain analyze create table copy as select 1",
  "explain (analyze, hypothetical) select 1",
  "explain analyze execute p",
  "explain select 1; delete from orders",
  "set role postgres",
  "show work_mem; delete from orders",
  "show set_config('a.b', 'c', false)",
])("a statement that is no read, also behind EXPLAIN, changes nothing: %s", async (sql) => {
  const turn = await submitCalls(stage, [["sql_query", { dataSource: "shop", sql }]]);
  expect(turn.calls[0]).toMatchObject({
    status: "failed",
    content: expect.stringMatching(/one statement that only reads|that reads is allowed/),
  });
  expect((await query("select count(*)::int4, to_regclass('copy') is null from orders")).rows).toEqual([[700, true]]);
});

test("EXPLAIN shows the plan of a query, with ANALYZE also its times, in the format that was asked for", async () => {
  const turn = await submitCalls(stage, [
    ["sql_query", { dataSource: "shop", sql: "EXPLAIN SELECT * FROM orders WHERE country = 'nl' ORDER BY total -- why\n;" }],
    ["sql_query", { dataSource: "shop", sql: "explain (analyze, buffers off) select count(*) from orders where id = 1" }],
    ["sql_query", { dataSource: "shop", sql: "explain analyze verbose (select 1)" }],
    ["sql_query", { dataSource: "shop", sql: "explain (format json) select id, id from orders" }],
  ]);
  const [plan = "", analyzed = "", verbose = "", json = ""] = turn.calls.map(({ content }) => content);
  expect(turn.calls.map(({ status }) => status)).toEqual(Array(4).fill("succeeded"));
  expect(plan).toMatch(/^```\nSort {2}\(cost.*\n {2}Sort Key: orders\.total\n {2}-> {2}Seq Scan on orders/);
  expect(plan).not.toContain("actual");
  expect(analyzed).toMatch(/\(actual .*\n[\s\S]*Execution Time/);
  expect(verbose).toContain("Output: 1");
  expect(JSON.parse(json.replaceAll("```", ""))).toMatchObject([{ Plan: { "Relation Name": "orders" } }]);
});

test("a query that EXPLAIN runs ends with its call, and a table without the right to read it is not explained", async () => {
  const slow = "explain analyze select count(*) from orders a, orders b, orders c, orders d";
  await expect(dataSourcesOf(stage.built.workspace.id).query("shop", slow, AbortSignal.timeout(300))).rejects.toMatchObject({
    code: "timed_out",
  });
  await expect(query("explain select * from hidden.secret")).rejects.toThrow("permission denied");
});

test("SHOW reads a setting", async () => {
  expect((await query("show transaction_read_only")).rows).toEqual([["on"]]);
  expect((await query("SHOW time zone;")).rows).toEqual([["UTC"]]);
  expect((await query("show all")).columns.map(({ name }) => name)).toEqual(["name", "setting", "description"]);
});

test("a description names primary keys, the values of enum types, and foreign keys in both directions", async () => {
  const described = (tableName: string) => ["datasource", { action: "describe_table", dataSource: "shop", tableName }] as [string, object];
  const turn = await submitCalls(stage, [described("visits"), described("visits_2026"), described("orders"), described("places")] as never);
  const [visits = "", partition = "", orders = "", places = ""] = turn.calls.map(({ content }) => content);
  expect(visits).toContain("| mood | mood enum('sad', 'it''s ok', 'happy') | yes |");
  expect(visits).toContain("| moods | mood[] enum('sad', 'it''s ok', 'happy') | yes |");
  expect(visits).toContain("| felt | feeling enum('sad', 'it''s ok', 'happy') | yes |");
  const own = "Foreign keys:\n- (k, txt) → places (k, txt)\n- (order_id) → orders (id)";
  expect(visits.endsWith(own)).toBe(true);
  expect(partition.endsWith(own)).toBe(true);
  // The user may not read hidden.secret.
  expect(orders.endsWith("| note | bytea | yes |  |  |\n\nForeign keys of other tables to this one:\n- visits (order_id) → (id)")).toBe(
    true,
  );
  expect(places).toContain("| k | integer | no | yes |  |\n| txt | text | no | yes |  |");
  expect(places.endsWith("Foreign keys of other tables to this one:\n- visits (k, txt) → (k, txt)")).toBe(true);
});

test("rows of keys, of single things and of numbers that a chart would change come without a chart", async () => {
  const withoutChart = [
    "select * from orders order by id limit 3",
    "select * from places",
    "select k, txt from places",
    "select txt, max(k) as place_id from places group by txt",
    "select country, max(id) from orders group by 1",
    "select country, 9007199254740992 + count(*) as big from orders group by 1 order by 2",
    "select country, sum(total) from orders where country = 'nl' group by 1",
    "select id::text as t, count(*) from orders group by 1 limit 51",
  ];
  const turn = await submitCalls(
    stage,
    withoutChart.map((sql) => ["sql_query", { dataSource: "shop", sql }]),
  );
  expect(turn.calls.map(({ status }) => status)).toEqual(withoutChart.map(() => "succeeded"));
  for (const { content } of turn.calls) expect(content).not.toContain("chart");
});

test("measures of groups are drawn, other rows on request, and nothing where none is wanted", async () => {
  const grouped = "select country, count(*) as n, avg(total) as mean from orders group by country order by 1";
  const turn = await submitCalls(stage, [
    ["sql_query", { dataSource: "shop", sql: grouped }],
    ["sql_query", { dataSource: "shop", sql: grouped, chart: false }],
    ["sql_query", { dataSource: "shop", sql: "select id, at, total from orders order by id limit 2", chart: true }],
    ["sql_query", { dataSource: "shop", sql: "select id, country from orders order by id limit 2", chart: true }],
  ]);
  const [drawn, unwanted, asked, impossible] = turn.calls.map(({ content }) => content);
  expect(drawn).toContain(
    '{"type":"bar","categories":["de","fr","nl"],"series":[{"name":"n","values":[234,233,233]},{"name":"mean","values":[525.75,525,526.5]}]}',
  );
  expect(unwanted).not.toContain("chart");
  expect(asked).toContain(
    '{"type":"line","categories":["2026-01-02T00:00:00Z","2026-01-03T00:00:00Z"],"series":[{"name":"total","values":[1.5,3]}]}',
  );
  expect(impossible).toContain("There is no chart. A chart needs 2 to 50 rows");
});

describe("where a person is asked about each query", () => {
  beforeEach(async () => {
    const rule = GuardRuleDraft.parse({ name: "Ask", tool: "sql_query", verdict: "require_approval" });
    await createRule(authorize(stage.built.admin, "guard:write"), rule);
  });

  test.each([
    "select 1; select 2",
    "with d as (delete from orders returning *) select * from d",
    "select pg_read_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "select load_extension('x')",
    "select set_config('a.b', 'c', false)",
    "select pg_reload_conf()",
    "explain analyze delete from orders",
  ])("nobody is asked about a statement that the tool refuses: %s", async (sql) => {
    const turn = await submitCalls(stage, [["sql_query", { dataSource: "shop", sql }]]);
    expect(turn).toMatchObject({ status: "completed", calls: [{ status: "failed" }] });
    expect(turn.calls[0]?.content).toMatch(/one statement that only reads|that reads is allowed/);
    expect(await db().select().from(approvals).where(eq(approvals.turnId, turn.id))).toEqual([]);
  });

  test("nobody is asked about a data source that does not exist, and somebody about a query that runs", async () => {
    const turn = await submitCalls(stage, [["sql_query", { dataSource: "gone", sql: "select 1" }]]);
    expect(turn).toMatchObject({
      status: "completed",
      calls: [{ status: "failed", content: expect.stringContaining("no data source gone") }],
    });
    const asked = await submitCalls(stage, [["sql_query", { dataSource: "shop", sql: "explain select 1" }]], { wait: 0 });
    await vi.waitFor(async () => expect(await db().select().from(approvals).where(eq(approvals.turnId, asked.id))).toHaveLength(1));
  });
});

test("every function that PostgreSQL itself calls volatile is refused without asking the database, or known as harmless", async () => {
  const { rows } = await query(
    "select distinct proname from pg_catalog.pg_proc where provolatile = 'v' and prokind = 'f' and pronamespace = 'pg_catalog'::regnamespace and prorettype not in ('trigger'::regtype, 'internal'::regtype, 'event_trigger'::regtype)",
  );
  const names = rows.map(([name]) => String(name));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !harmlessVolatile.has(name) && refusedFunction(name, "postgresql") === null)).toEqual([]);
});

test("E'...' strings, dollar quotes, comments and common table expressions are read as PostgreSQL reads them", async () => {
  expect((await query("select E'it\\'s; /*' as a, $x$ ; -- $x$ as b /* a /* nested */ ; */")).rows).toEqual([["it's; /*", " ; -- "]]);
  expect((await query("with t as (select 1 as n) select n, random() >= 0 as r from t")).rows).toEqual([[1, true]]);
});

test("a superuser has the rights of a reader, and its files stay out of reach", async () => {
  const { username, password } = new URL(inject("maintenanceDatabaseUrl"));
  await dataSources.create({
    actor: admin(),
    body: draftOf({ name: "root", username: decodeURIComponent(username), password: decodeURIComponent(password) || "none" }),
  });
  expect((await query("select count(*)::int4 from orders", "root")).rows).toEqual([[700]]);
  expect((await query("select current_user::text", "root")).rows).toEqual([["pg_read_all_data"]]);
});

test("Handrail's own database is refused", async () => {
  const { username, password, pathname } = new URL(String(process.env.DATABASE_URL));
  const own = draftOf({ name: "own", username, password: password || "none", database: pathname.slice(1) });
  const { id } = await dataSources.create({ actor: admin(), body: own });
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
  const [source] = (await dataSources.list({ actor: admin(), query: {} })).items;
  if (!source) throw new Error("no data source");
  const [row] = await db().select().from(dataSourceTable).where(eq(dataSourceTable.id, source.id));
  const { password, ...draft } = draftOf();
  await expect(
    dataSources.update({ actor: admin(), params: { id: source.id }, body: { ...draft, host: "evil.example" }, version: null }),
  ).rejects.toThrow("password is needed again");
  const renamed = await dataSources.update({
    actor: admin(),
    params: { id: source.id },
    body: { ...draft, name: "store" },
    version: source.version,
  });
  await expect(
    dataSources.update({ actor: admin(), params: { id: source.id }, body: draft, version: source.version }),
  ).rejects.toMatchObject({ code: "stale_version" });
  expect(renamed).toMatchObject({ name: "store", hasPassword: true, version: 2 });
  expect((await query("select 1 as one", "store")).rows).toEqual([[1]]);
  await expect(query("select 1 as one", "shop")).rejects.toMatchObject({ code: "not_found" });
  await dataSources.remove({ actor: admin(), params: { id: source.id }, version: 2 });
  await expect(dataSources.get({ actor: admin(), params: { id: source.id } })).rejects.toMatchObject({ code: "not_found" });
  const audited = await db().select().from(auditEvents).where(eq(auditEvents.subject, source.id)).orderBy(auditEvents.at);
  expect(audited.map(({ event }) => event)).toEqual(["data_source.created", "data_source.updated", "data_source.removed"]);
  expect(JSON.stringify([source, row, renamed, audited])).not.toContain(password);
});

test("a wrong password is told to the admin who tests, and a disabled data source to nobody else", async () => {
  const wrong = await dataSources.create({ actor: admin(), body: draftOf({ name: "wrong", password: "not-this-one", enabled: false }) });
  const tested = await testDataSource(admin(), wrong.id);
  expect(tested.success).toBe(false);
  expect(tested.message).toContain("PostgreSQL refused: password authentication failed");
  expect((await dataSourcesOf(stage.built.workspace.id).list()).map(({ name }) => name)).toEqual(["shop"]);
  await expect(query("select 1", "wrong")).rejects.toMatchObject({ code: "not_found" });
});
