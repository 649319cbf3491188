import { expect, test } from "vitest";
import type { Dialect } from "@/server/sql-text/dialects";
import { beginsLikeRead, demandRead } from "./demand-read";

const refusals: Record<Dialect, readonly (readonly [sql: string, reason: string])[]> = {
  postgresql: [
    ["select lo_export(1, '/x')", "lo_export reaches beyond"],
    ["select \"pg_read_file\" ('/x')", "pg_read_file reaches beyond"],
    ["select * from dblink_exec('x')", "dblink_exec reaches beyond"],
    ['select rolpassword from "pg_authid"', "holds secrets"],
    ["select U&'\\0027'", "U&"],
    ["select E'a'\n'b\\' ; drop table t --'", "two strings stand side by side"],
    ["select 1 /* /* */ drop", "comment is not closed"],
    ["select 1) as q; drop table t", "parenthesis"],
    [`select ${"a".repeat(64)}(1)`, "63 bytes"],
    ["select 'a\u0000'", "control character"],
    ["with x as (delete from t returning *) select 1", "DELETE changes rows"],
    ["select 1 /*+ Set(statement_timeout 0) */", "takes as a hint"],
    ["explain delete from t", "EXPLAIN shows the plan of one SELECT"],
    ["explain (analyze, load 'x') select 1", "EXPLAIN shows the plan of one SELECT"],
    ["explain (analyze) (delete from t)", "EXPLAIN shows the plan of one SELECT"],
    ["explain analyze select pg_read_file('/x')", "pg_read_file reaches beyond"],
    ["explain analyze select 1 for update", "lock rows"],
    ["show a(1)", "this SHOW"],
    ["describe t", "does not begin"],
    ['select 1 "." into t', "INTO writes"],
    ["select $a$ $A$, pg_read_file('/x') $a$ || pg_read_file('/x')", "pg_read_file reaches beyond"],
    ["select e'a\\'", "a quote is not closed"],
  ],
  mysql: [
    ["select load_file('/etc/passwd')", "load_file is not among"],
    ["select sleep (30)", "sleep is not among"],
    ["select `sleep`(30)", "sleep is not among"],
    ["select 1 /*!50000 into outfile '/x' */", "carries out"],
    ["select /*+ SET_VAR(max_execution_time=0) */ 1", "takes as a hint"],
    ["select '\\'' into outfile '/x'", "INTO writes"],
    ["select 1 --\n; delete from t", "several statements"],
    ["select 1 from t for update", "lock rows"],
    ["with t(a) as (select 1), sleep(9) select 1", "sleep is not among"],
    ["select shop.audit_all(1)", "audit_all is not among"],
    ["select authentication_string from `mysql`.`user`", "holds passwords"],
    ["with x as (select 1) update t set a = 1", "UPDATE changes rows"],
    ["analyze table t", "does not begin"],
    ["analyze update t set a = 1", "does not begin"],
    ["explain analyze delete from t", "EXPLAIN shows the plan of one SELECT"],
    ["explain format=json into @x select 1", "EXPLAIN shows the plan of one SELECT"],
    ["explain for connection 5", "EXPLAIN shows the plan of one SELECT"],
    ["explain select sleep(9)", "sleep is not among"],
    ["show grants", "this SHOW"],
    ["show create user root", "this SHOW"],
    ["show processlist", "this SHOW"],
    ["show tables where sleep(9)", "sleep is not among"],
  ],
  sqlite: [
    ["attach 'x' as y", "does not begin"],
    ["pragma writable_schema = 1", "does not begin"],
    ["select load_extension('x')", "load_extension reaches beyond"],
    ["select * from pragma_database_list", "not a table"],
    ["select [load_extension]('x')", "load_extension reaches beyond"],
    ["with x as (select 1) replace into t select * from x", "REPLACE changes rows"],
    ["explain query plan delete from t", "EXPLAIN shows the plan of one SELECT"],
    ["explain select load_extension('x')", "load_extension reaches beyond"],
    ["show tables", "datasource describes tables"],
  ],
  clickhouse: [
    ["select * from url('http://169.254.169.254/', CSV)", "url reaches beyond"],
    ["select * from file('/etc/passwd')", "file reaches beyond"],
    ["select * from remote('other', system.users)", "remote reaches beyond"],
    ["select * from `s3Cluster`('c', 'x')", "s3Cluster reaches beyond"],
    ["select 1 settings readonly = 0", "SETTINGS"],
    ["select 1 format Native", "FORMAT"],
    ["select 1 into outfile 'x'", "INTO writes"],
    ["insert into t select 1", "does not begin"],
    ["select sleepEachRow(3)", "sleepeachrow reaches beyond"],
    ["select * from unknownTableFunction(1)", "table function unknowntablefunction"],
    ["select \u2018a\u2019", "must stand in quotes"],
    ["select executable('x')", "executable reaches beyond"],
    ["explain table override mysql('h', 'd', 't', 'u', 'p')", "EXPLAIN shows the plan of one SELECT"],
    ["explain select * from url('http://x', CSV)", "url reaches beyond"],
    ["explain plan select 1 into outfile 'x'", "INTO writes"],
    ["describe table url('http://x', CSV)", "does not begin"],
    ["describe (select 1)", "does not begin"],
    ["show create user x", "this SHOW"],
    ["show tables format Native", "FORMAT"],
  ],
};

const cases = Object.entries(refusals).flatMap(([dialect, some]) =>
  some.map(([sql, reason]) => [dialect as Dialect, sql, reason] as const),
);

test.each(cases)("%s refuses %j", (dialect, sql, reason) => {
  expect(() => demandRead(sql, dialect)).toThrow(reason);
});

const accepted: readonly (readonly [Dialect, string, string])[] = [
  ["postgresql", "select 'a;--' as \"x;\", $$ ; $$ -- end\n ;;", "select 'a;--' as \"x;\", $$ ; $$"],
  ["postgresql", "(select a.update, t.into from t)", "(select a.update, t.into from t)"],
  [
    "mysql",
    "select 'it\\'s; --' # rest\n, \"x\\\"y\" from `a;b` where a in (1) and not exists (select 1)",
    "select 'it\\'s; --' , \"x\\\"y\" from `a;b` where a in (1) and not exists (select 1)",
  ],
  ["mysql", "select replace(a, 'x', 'y'), 1--1 from t", "select replace(a, 'x', 'y'), 1--1 from t"],
  [
    "mysql",
    "with t(a) as (select 1), u(b) as (select 2) select * from t, u, (select 3) as v(c)",
    "with t(a) as (select 1), u(b) as (select 2) select * from t, u, (select 3) as v(c)",
  ],
  ["sqlite", "with x as (select 1) select [a;b] from x -- c", "with x as (select 1) select [a;b] from x"],
  [
    "clickhouse",
    "select formatDateTime(now(), '%F'), `settings` from numbers(3) array join [1]",
    "select formatDateTime(now(), '%F'), `settings` from numbers(3) array join [1]",
  ],
];

test.each(accepted)("%s reads %j without comments and semicolons", (dialect, sql, text) => {
  expect(demandRead(sql, dialect).text).toBe(text);
});

test("a statement of another kind is recognised before any database is asked, in linear time", () => {
  expect(beginsLikeRead("-- note\n/* x */ ( SELECT 1)")).toBe(true);
  for (const sql of ["explain select 1", "show tables", "describe t"]) expect(beginsLikeRead(sql)).toBe(true);
  for (const sql of ["drop table t", "selected", "", "explain delete from t", `${"/**/".repeat(4_000)}drop`])
    expect(beginsLikeRead(sql)).toBe(false);
});

test.each<[Dialect, string, string, string]>([
  ["postgresql", "explain select 1", "explain", "select 1"],
  ["postgresql", "EXPLAIN ANALYZE VERBOSE (select 1) -- x", "EXPLAIN ANALYZE VERBOSE", "(select 1)"],
  [
    "postgresql",
    "explain (analyze, buffers off, format /* y */ json) with t as (select 1) select * from t;",
    "explain (analyze, buffers off, format json)",
    "with t as (select 1) select * from t",
  ],
  ["postgresql", "explain ((select 1))", "explain", "((select 1))"],
  ["mysql", "explain analyze format = tree select 1", "explain analyze format = tree", "select 1"],
  ["mysql", "analyze format=json select 1", "analyze format=json", "select 1"],
  ["sqlite", "explain query plan select 1", "explain query plan", "select 1"],
  ["clickhouse", "explain plan indexes = 1, actions = 1 select 1", "explain plan indexes = 1, actions = 1", "select 1"],
])("%s explains with %j", (dialect, sql, options, explained) => {
  expect(demandRead(sql, dialect)).toMatchObject({ kind: "explain", explain: { options, query: explained }, measures: null });
});

test.each<[Dialect, string]>([
  ["postgresql", "show work_mem"],
  ["postgresql", 'show "my".setting'],
  ["postgresql", "show transaction isolation level"],
  ["mysql", "show full columns from `t` from shop like 'a%'"],
  ["mysql", "show tables where concat(a, 'x') = 'yx'"],
  ["mysql", "show global status like 'Threads%'"],
  ["mysql", "show create table shop.t"],
  ["mysql", "describe shop.t 'a%'"],
  ["mysql", "explain t"],
  ["clickhouse", "show create table t"],
  ["clickhouse", "describe table shop.t"],
])("%s shows with %j", (dialect, sql) => {
  expect(demandRead(sql, dialect)).toMatchObject({ kind: "show", text: sql, explain: null });
});

test.each([
  ["select a, count(*), sum(b) s, avg(c) from t group by a", [null, "total", "total", "statistic"]],
  ["with g as (select 1) select date_trunc('day', at) as day, round(sum(b), 2) from t group by 1 order by 1", [null, "statistic"]],
  ["select a, max(order_id), count(distinct order_id) from t group by a", [null, null, "total"]],
  ["select country, count(*) filter (where a > 1) from t group by 1", [null, "statistic"]],
  ["select t.*, count(*) from t group by a", null],
  ["select * from t where a in (select a from u group by a)", null],
  ["select a, count(*) from t group by a union select b, 1 from u", null],
  ["select count(*) from t", null],
])("the measures of %j are told", (sql, measures) => {
  expect(demandRead(sql, "postgresql").measures).toEqual(measures);
});
