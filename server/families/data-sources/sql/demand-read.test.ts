import { expect, test } from "vitest";
import { beginsLikeRead, demandRead } from "./demand-read";
import type { Dialect } from "./tokens";

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
  ],
  sqlite: [
    ["attach 'x' as y", "does not begin"],
    ["pragma writable_schema = 1", "does not begin"],
    ["select load_extension('x')", "load_extension reaches beyond"],
    ["select * from pragma_database_list", "not a table"],
    ["select [load_extension]('x')", "load_extension reaches beyond"],
    ["with x as (select 1) replace into t select * from x", "REPLACE changes rows"],
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
  for (const sql of ["drop table t", "selected", "", "explain select 1", `${"/**/".repeat(4_000)}drop`])
    expect(beginsLikeRead(sql)).toBe(false);
});
