import { describe, expect, test } from "vitest";
import { dangersInSql, type SqlKind } from "./dangers";

const kindsIn = (sql: string) => dangersInSql(sql).map(({ kind }) => kind);

describe("what is dangerous in SQL", () => {
  test.each<[SqlKind, string]>([
    ["program", `SELECT "pg_read_file"('/etc/passwd')`],
    ["program", `SELECT pg_catalog."PG_READ_FILE" ('x')`],
    ["program", "select `load_file`('x')"],
    ["program", "select pg_file_unlink('x')"],
    ["program", "select lo_unlink(5)"],
    ["program", "select pg_terminate_backend(1)"],
    ["program", "select pg_terminate_backend(pid) from pg_stat_activity"],
    ["program", "select set_config('x', 'y', false)"],
    ["program", "CREATE EXTENSION plpython3u"],
    ["program", "create extension if not exists dblink"],
    ["program", "create or replace trusted language plpython3u"],
    ["program", "create function f() returns int language plpython3u as 'x'"],
    ["program", "create function f() returns int as 'lib', 'f' language c"],
    ["program", "create server s foreign data wrapper file_fdw"],
    ["program", "set global general_log = 'ON'"],
    ["program", "kill 5"],
    ["drop", "/*M!DROP*/ TABLE users"],
    ["drop", "/*M!100100 drop */ table users"],
    ["drop", "create rule r as on insert to x do instead drop table y"],
    ["grant", "SET ROLE postgres"],
    ["grant", "set session authorization postgres"],
    ["grant", "set local role x"],
    ["grant", "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO public"],
    ["grant", "alter table t owner to x"],
    ["grant", "create policy p on t using (true)"],
    ["grant", "create or replace rule r as on insert to x do instead delete from y"],
    ["unbounded_change", "create rule r as on insert to x do instead delete from y"],
    ["unbounded_change", "create rule r as on insert to x do also update y set a = 1"],
    ["unbounded_change", "merge into t using s on true when matched then delete"],
    ["unbounded_change", "merge into t using s on 1 = 1 when matched then update set a = 1"],
    ["unbounded_change", "merge into t using s on t.id = t.id when matched then delete"],
    ["unbounded_change", "delete from t where id = id"],
    ["unbounded_change", 'delete from t where "id" = id'],
    ["unbounded_change", "delete from t where id >= id"],
    ["unbounded_change", "delete from t where id = 1 or 1 = 1"],
    ["unbounded_change", "delete from t where (id = 1) or (true)"],
    ["unbounded_change", "delete from t where id = 1 or 'a' = 'a'"],
    ["unbounded_change", "update t set a = 1 where name like '%'"],
    ["unbounded_change", "update t set a = 1 where id = 1 or id = id"],
    ["unbounded_change", "delete from t where true and 1 = 1 order by id"],
  ])("%s is found in %s", (kind, sql) => {
    expect(kindsIn(sql)).toContain(kind);
  });

  test.each([
    "delete from t where id = 1 or id = 2",
    "delete from t where true and id = 5",
    "delete from t where 1 = 1 and t.a = ?",
    "delete from t using u where t.id = u.id",
    "update t set role = 'x' where a = 'b' and name like 'a%'",
    "delete from t where created < now() - interval '1 day'",
    "delete from t where id in (select id from u)",
    "delete from t where id between 1 and 5",
    "delete from t where deleted",
    "delete from t where not kept",
    "merge into t using s on t.id = s.id when matched then update set a = s.a when not matched then insert values (1)",
    "merge into t using s on t.id = s.id when matched then delete",
    "insert into t values (1) on conflict (id) do update set a = 1",
    "insert into t (a) values (1) on duplicate key update a = 2",
    "set search_path to app",
    "set names utf8",
    "set statement_timeout = 5000",
    "create table t (id int, role text, event text)",
    "create index i on t (a)",
    "create view v as select 1",
    "create function f() returns int language sql as 'select 1'",
    "alter table t add column owner text",
    "select pid from pg_stat_activity",
    'select "count"(*) from t',
  ])("nothing is found in %s", (sql) => {
    expect(kindsIn(sql)).toEqual([]);
  });
});
