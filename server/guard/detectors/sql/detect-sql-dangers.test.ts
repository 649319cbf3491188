import { describe, expect, test } from "vitest";
import { detectSqlDangers, type SqlKind } from "./detect-sql-dangers";

const kindsIn = (sql: string): string[] => detectSqlDangers(sql).map(({ kind }) => kind);
const statements = (text: string): string[] => text.split(/ ¦ |\n(?= )/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

const dangerous: Record<SqlKind, readonly string[]> = {
  drop: [
    ...statements(`
      detach table t ¦ /*M!DROP*/ TABLE users ¦ /*M!100100 drop */ table users ¦ create rule r as on insert to x do instead drop table y
      drop table a ¦ create function a() language plpgsql as 'drop table b' ¦ create procedure a() language sql as 'drop table b'
      create function a() language sql as $$drop table b$$ ¦ do $$ drop table a $$ ¦ do 'drop table a'
      do language plpgsql 'drop table a' ¦ execute immediate 'drop table a' ¦ execute 'drop table a' ¦ exec 'drop table a'
      exec('drop table a') ¦ execute('drop table a') ¦ select query_to_xml('drop table a') ¦ select dblink('drop table a')
      select dblink_exec('drop table a') ¦ sp_executesql 'drop table a' ¦ exec sp_executesql N'drop table a'
      sp_executesql('drop table a') ¦ prepare a from 'drop table a' ¦ prepare a as drop table b ¦ /*! drop table a */
      /*!50000 drop table a */ ¦ /*M! drop table a */ ¦ exec(N'drop table a') ¦ execute immediate N'drop table a' ¦ exec e 'drop table a'
      drop index a ¦ select 'a' drop table b ¦ select 5 drop table b ¦ if @a = 'b' drop table c ¦ select * from a drop table b
      select * from [a] drop table b ¦ drop table a; drop index b ¦ detach table a ¦ detach view a ¦ detach dictionary a ¦ drop view a
      drop user a ¦ select case when a then drop end ¦ drop event a
    `),
    ...statements("select 'it\\'s; drop table a' ¦ select E'a\\\\'; drop table b"),
    "\\d a\ndrop table b",
    ".tables\ndrop table b",
  ],
  truncate: [
    ...statements(`
      truncate a ¦ truncate table a ¦ select 5 truncate table a
    `),
  ],
  alter_drop: [
    ...statements(`
      rename table t to u ¦ rename table a to b ¦ rename user a to b ¦ alter table a drop column b ¦ alter drop
    `),
  ],
  grant: [
    ...statements(`
      SET ROLE postgres ¦ set session authorization postgres ¦ set local role x ¦ ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO public
      alter table t owner to x ¦ create policy p on t using (true) ¦ create or replace rule r as on insert to x do instead delete from y
      grant all on a to b ¦ revoke all on a from b ¦ alter table a owner to b ¦ alter default privileges grant all on tables to a
      alter default privileges revoke all on tables from a ¦ create policy a on b ¦ alter user a ¦ alter role a ¦ alter login a
      alter group a ¦ alter policy a ¦ create user a ¦ create role a ¦ create login a ¦ create group a
      create rule a as on insert to b do nothing ¦ set role a ¦ set authorization a ¦ set session authorization a ¦ set local role a
    `),
  ],
  program: [
    ...statements(`
      SELECT "pg_read_file"('/etc/passwd') ¦ SELECT pg_catalog."PG_READ_FILE" ('x') ¦ select pg_file_unlink('x') ¦ select lo_unlink(5)
      select pg_terminate_backend(1) ¦ select pg_terminate_backend(pid) from pg_stat_activity ¦ select set_config('x', 'y', false)
      CREATE EXTENSION plpython3u ¦ create extension if not exists dblink ¦ create or replace trusted language plpython3u
      create function f() returns int language plpython3u as 'x' ¦ create function f() returns int as 'lib', 'f' language c
      create server s foreign data wrapper file_fdw ¦ set global general_log = 'ON' ¦ kill 5 ¦ reset master ¦ LOAD '/tmp/x.so'
      vacuum into 'x.db' ¦ .restore x.db ¦ .clone x.db ¦ .cd x ¦ load 'a' ¦ alter system set a = b ¦ set global a = 1 ¦ set persist a = 1
      set persist_only a = 1 ¦ set @@global.a = 1 ¦ set @@persist.a = 1 ¦ set @@persist_only.a = 1 ¦ set a = 1, global b = 2
      begin set global a = 1 ¦ reset slave ¦ reset replica ¦ reset binary logs and gtids ¦ reset persist ¦ create extension a
      create language a ¦ create trusted procedural language a ¦ create server a ¦ create foreign table a ¦ create subscription a
      create assembly a ¦ create plugin a ¦ create library a ¦ create event a ¦ create trigger a ¦ create or replace trigger a
      create constraint trigger a ¦ create definer = a@b trigger c ¦ create definer = 'a'@'b' trigger c
      create definer = viewer trigger c ¦ create definer = review trigger c
      create trigger a after insert on b for each row update c set definer = 1 where d = 2 ¦ create aggregate function f language c
      create function definer() language c ¦ create function a() returns int language c as 'x'
      create function a() returns int language internal as 'x' ¦ create function a() language java as 'x'
      create function a() language javascript as 'x' ¦ create function a() language plpython3u as 'x'
      create function a() language plsh as 'x' ¦ create function a() language plrust as 'x' ¦ create procedure a() language plperlu as 'x'
      shutdown ¦ attach database 'a' as b ¦ attach 'a' as b ¦ select query_to_xml('drop table a') ¦ select dblink('drop table a')
      select dblink_exec('drop table a') ¦ select load_file('a') ¦ select xp_cmdshell ¦ exec "xp_cmdshell" 'ls' ¦ exec xp_dirtree 'a'
      exec sp_oacreate 'a' ¦ exec sp_configure 'a' ¦ select sp_configure ¦ exec sp_addlogin 'a' ¦ select pg_reload_conf()
      select "pg_reload_conf"() ¦ select PG_READ_FILE('a') ¦ select a into outfile 'b' ¦ select a into dumpfile 'b'
      load data infile 'a' into table b ¦ copy a from 'b' ¦ copy a to 'b' ¦ copy (select 1) to 'b' ¦ copy a from program 'b' ¦ .shell ls
       .shell ls ¦ .system ls ¦ .load a ¦ .import a b ¦ .output a ¦ .once a ¦ .read a ¦ .excel ¦ .edit ¦ .sh ls ¦ .sys ls ¦ .lo a ¦ .out a
      .op a
    `),
    ...statements("select `load_file`('x') ¦ \\o|ls ¦ \\g|ls ¦ \\w|ls ¦ create or replace definer = `a`@`b` trigger c"),
    ...statements("create definer = `view`@b trigger c ¦ \\! ls ¦ select 1 \\! ls ¦ \\copy a from program 'x'"),
    ...statements("\\o | ls ¦ \\g | ls ¦ \\gx |ls ¦ \\i a ¦ \\ir a ¦ \\w | a"),
    "select 1;\n\\! ls",
  ],
  stacked: [
    ...statements(`
      select 1; select 2 ¦ begin; delete from a where id = 1; drop table b; commit ¦ select 1; select 2; select 3
    `),
    ...statements("select 'it\\'s; drop table a' ¦ select E'a\\\\'; drop table b"),
  ],
  unreadable: [
    ...statements(`
      create function a() returns int language c as 'x' ¦ create function a() returns int language internal as 'x'
      create function a() language java as 'x' ¦ create function a() language javascript as 'x'
      create function a() language plpython3u as 'x' ¦ create function a() language plsh as 'x'
      create function a() language plrust as 'x' ¦ create procedure a() language plperlu as 'x' ¦ do 'do ''do ''''x''''''' ¦ shutdown
      sp_executesql 'drop table a' ¦ sp_executesql('drop table a') ¦ foo bar ¦ "drop" table a ¦ 'select' ¦ 5 ¦ select /*a ¦ select 'a
      select "a ¦ select $a$ b ¦ select (1 ¦ select 1)
    `),
    ...statements("select `a ¦ select 'it\\'s; drop table a'"),
  ],
  unbounded_change: [
    ...statements(`
      alter table t delete where 1 ¦ create rule r as on insert to x do instead delete from y
      create rule r as on insert to x do also update y set a = 1 ¦ merge into t using s on true when matched then delete
      merge into t using s on 1 = 1 when matched then update set a = 1 ¦ merge into t using s on t.id = t.id when matched then delete
      delete from t where id = id ¦ delete from t where "id" = id ¦ delete from t where id >= id ¦ delete from t where id = 1 or 1 = 1
      delete from t where (id = 1) or (true) ¦ delete from t where id = 1 or 'a' = 'a' ¦ update t set a = 1 where name like '%'
      update t set a = 1 where id = 1 or id = id ¦ delete from t where true and 1 = 1 order by id ¦ delete from t where id is not null
      delete from t where t.id is not null or name = 'x' ¦ delete from t where not ("ID" is null) ¦ delete from t where id > 0
      delete from t where id >= 1 ¦ delete from t where id <> -1 ¦ delete from t where id != 0 ¦ delete from t where not id = 0
      delete from t where exists (select 1) ¦ delete from t where id = 5 or exists (select a.b) ¦ delete from t where name like '%%'
      delete from t where name similar to '%' ¦ delete from t where name regexp '.*' ¦ delete from t where name ~ '^.*$'
      delete from t where name ~ '' ¦ delete from t where name glob '*' ¦ delete from a ¦ delete a from a ¦ delete from a where true
      delete from a where 1 ¦ delete from a where false ¦ delete from a where null ¦ delete from a where 0
      delete from a where 1 = 1 limit 5 ¦ delete from a where 1 = 1 returning id ¦ select (delete from a) ¦ explain analyze delete from a
      explain delete from a ¦ explain verbose delete from a ¦ with a as (delete from b returning *) select 1 ¦ if a then delete from b
      if a then b else delete from c ¦ while a loop delete from b ¦ begin delete from a end ¦ select 5 delete from a
      alter table a delete where 1 ¦ with a as (delete from b) insert into c values (1) on conflict do nothing ¦ update a set b = 1
      update a set b = (select c from d where e = 1) ¦ update a set b = 1 where 2 > 1 ¦ update a set b = 1 where id == id
      update a set b = 1 where id <= id ¦ update a set b = 1 where id <=> id ¦ update a set b = 1 where id ilike '%'
      update a set b = 1 where 'a' = 'b' ¦ update a set b = 1 where c = 1 or (e = e and 1 = 1) ¦ select 5 update a set b = 1
      create rule a as on insert to b do update c set d = 1 ¦ while a do update b set c = 'conflict'
      while on_conflict do update b set conflict = 1 ¦ if a then update b set c = 1 end if
      with a as (update b set c = 1) merge into d using a on d.id = a.id when matched then update set c = 1
      merge into a using b on true when matched then update set c = 1 ¦ merge into a using b on (1 = 1) when matched then delete
      merge into a using b when matched then delete ¦ with gone as (delete from t returning *) select * from gone where id = 1
      with gone as (update t set a = 1) select * from gone where id = 1 ¦ delete from t where 1 = 1 or name = 'order' or true
      delete from t where (1 = 1) order by id ¦ delete from t where ID = id ¦ delete from t where "a" = "a" ¦ delete from t where "id" = 1
      delete from t where a = 1 or true ¦ delete from t where a = 1 or 5 = 5 and true ¦ delete from t where 'a' like '%'
      with a as (delete from t), b as (select 1 from c where d = 1) select 1 ¦ delete from t where id = 1 or 'a' <> 'b'
      delete from t where a = 1 or false = false ¦ delete from t where a = 1 or 10 ¦ delete from t where a = 1 or 0.5
      delete from t where alike = alike ¦ delete from t where likes = likes ¦ delete from t where '=' + a = '=' + a
      delete from t where -a = -a ¦ merge into t using (select a.id from a join b on a.id = b.id) s on true when matched then delete
      merge into t using a join b on a.id = b.id on 1 = 1 when matched then delete
      merge into t using s on true or 'on' = 'on' when matched then delete
      merge into t using s on true or 'when' = 'when' when matched and s.id = 1 then delete ¦ delete from a where id in (select id from a)
      delete from a where x is null or x is not null ¦ delete from a where not false ¦ delete from a where 1 < 2
      delete from a where 'a' like '%' ¦ delete from a where exists (select 1) ¦ delete from a where id = id
      delete from a where coalesce(1, 2) = 1 ¦ delete from a where coalesce(null, 'x') is not null
      delete from a where coalesce(name, '') is not null ¦ delete from a where length('a') > 0 ¦ delete from a where length(name) >= 0
      delete from a where now() > '2000-01-01' ¦ delete from a where current_date > date '2000-01-01'
      delete from a where x = 1 or x <> 1 ¦ delete from a where x = 1 or x != 1 ¦ delete from a where x <> 1 or x <> 2
      delete from a where x < 5 or x >= 5 ¦ delete from a where x < 5 or x > 3 ¦ delete from a where x <= 4 or x >= 5
      delete from a where not (x = 1 and x = 2) ¦ delete from a where not (x is null and x is not null)
      delete from a where (x = 1) is not null ¦ delete from a where x = 1 is not null ¦ delete from a where x = 1 is not unknown
      delete from a where (id = id) is true ¦ delete from a where (id = id) = true ¦ delete from a where (x = 5) >= 0
      delete from a where x or not x ¦ delete from a where x = true or x = false ¦ delete from a where x is true or x is not true
      delete from a where x in (1, 2) or x not in (1, 2) ¦ delete from a where x in (x, 5)
      delete from a where x like 'b%' or x not like 'b%' ¦ delete from a where x between x and x ¦ delete from a where x + 1 > x
      delete from a where x < x + 1 ¦ delete from a where id < 99999999999
      delete from a where x like '%' || '%' ¦ delete from a where not (x = x and false) ¦ delete from a where exists (select 1 from a)
      delete from a where exists (select 1 from a b where b.id = a.id) ¦ delete from a where exists (select count(*) from b where x = 1)
      delete from a where id in (select id from a where id = id) ¦ delete from a where id in (select x.id from public.a x)
      delete from a where id in (select id from (select id from a) q)
      delete from a where id in (select id from a union select id from b) ¦ delete from a where id = any (select id from a)
      delete from a where id = any (array(select id from a)) ¦ delete from a where id in ((select id from a))
      delete from a where id in (select * from a) ¦ delete from a where (id, n) in (select id, n from a)
      delete from a where id not in (select id from b where false) ¦ delete from a where id not in (select 1 where 1 = 0)
      delete from a where not exists (select 1 from b where false) ¦ delete from a where id <> all (select id from b where 1 = 2)
      delete from a where id <= (select max(id) from a) ¦ delete from a where id >= (select min(id) from a)
      delete from a where (select count(*) from a) >= 0 ¦ delete from a where 1 = (select 1) ¦ delete from a using a b where a.id = b.id
      delete from a where id = 5 || 1 = 1 ¦ delete from a where id = 5 || 1 ¦ delete from a where id = 5 || true ¦ delete from a where !0
      delete from a where !(id is null) ¦ delete from a where x isnull or x notnull
      delete from a where case when x = 1 then 1 else 1 end = 1 or 1=1 ¦ delete from a where x is not distinct from x
      delete from a where x <=> x ¦ delete from a where abs(x) > -1 ¦ delete from a where 'x' = 'x' and id is not null
      delete from a where ((((1 = 1)))) ¦ delete from a where @a = @a ¦ delete from a where random() < 2
      delete from a where 0 < 1 and not 1 = 2 ¦ delete from a where id not in (-1) ¦ delete from a where x >= 'm' or x < 'm'
      delete from a where -1 < id ¦ delete from a where x in (true, false) ¦ delete from a where name ~ '^'
      delete from a where regexp_like(name, '.*') ¦ delete from a as t where t.id in (select id from a)
      delete from a where id in (with q as (select id from a) select id from q) ¦ delete from a where id in (table a)
      delete from a where exists (table a) ¦ update a set x = 1 from a b where a.id = b.id
      update only public.a as t set x = 1 where id in (select id from a) ¦ delete t from a t where t.id in (select id from a)
      delete t1 from a t1 inner join a t2 where t1.id = t2.id ¦ with q as (select id from a) delete from a where id in (select id from q)
      merge into a using a b on a.id = b.id when matched then delete ¦ delete from a where x = any (array[x])
      delete from a where x = any (array[1, x]) ¦ delete from a where x in (array[x])
      delete from a where id in (((((((select id from a))))))) ¦ delete from a where id > all (select -1)
      delete from a where id > (select -1) ¦ delete from a where (select 0) < id ¦ delete from a where x = 1 or 'a' = 'A'
      delete from a where x = 1 or not 'a' <> 'a ' ¦ delete from a where x = 1 or 'e' = 'é'
      delete from "A" where id in (select id from a)
      delete from a where ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((id = 1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
      delete from "users" where 1 = 1 ¦ delete from 'users' where 1 = 1 ¦ delete from users where "a" = 0
      delete from users where "a" = $1 or 1 = 1 ¦ update "a" set x = 1 where "id" = "id" ¦ delete from t where id = 1 or id = 2
      delete from t where created < now() - interval '1 day' ¦ delete from t where id > 10 ¦ delete from t where not id = 5
      delete from t where deleted ¦ delete from t where id is null ¦ delete from t where name like 'a%'
      delete from t where id in (select id from u) ¦ delete from t where id in ()
      update t set a = 1 where exists (select 1 from u where u.a = t.a) ¦ delete from t using u where t.id = u.id
      delete from a using b where a.id = b.a_id and b.x = 1 ¦ update a set x = 1 from b where b.id = 5
      update a join b on a.id = b.id set a.x = 1 where b.id = 5 ¦ update a, b set a.x = 1 where b.id = 5
      delete a from a join b on true where b.id = 5 ¦ merge into t using s on t.id = s.id when matched then delete
      merge into t using s on t.id = s.id when not matched by source then delete ¦ delete from t where id = 5 || 1
      delete from t where id = 5 and x || 1 ¦ delete from t where id = 5 and (@x := id) or 1 ¦ delete from t where (@x := id) and id = @x
      delete from t where id = ? and a ? 1 : 1 ¦ delete from t where case when a and id = 5 and b then 1 else 1 end
      delete from t where x between 1 and id = 5 ¦ delete from t where id = 5 and returning or true
      delete from t where current_user = 'app' ¦ delete from t where true = true ¦ delete from t where user in ('app')
      delete from t where id > 5 and x < 10 ¦ delete from t where x >= 1 and x >= 2 ¦ delete from t where a = null
      alter table t update a = 1 where 1 = 1 ¦ delete from a where x = 1 delete from b where y = 2
    `),
    ...statements("delete from `where` as w ¦ delete from t where `like` = `like`"),
  ],
};

const everyday = [
  ...statements(`
    reset statement_timeout ¦ detach database d ¦ insert into t (load, rename, detach, reset) values ('a', 'b', 'c', 'd')
    alter table t delete where id = 5 ¦ delete from t where true and id = 5 ¦ delete from t where 1 = 1 and t.a = ?
    update t set role = 'x' where a = 'b' and name like 'a%' ¦ delete from t where id between 1 and 5
    delete from t where t.parent.id > 0 and a = 1 ¦ delete from t where id is not null and name = 'x' ¦ vacuum t
    insert into t values (1) on conflict (id) do update set a = 1 ¦ insert into t (a) values (1) on duplicate key update a = 2
    set search_path to app ¦ set names utf8 ¦ set statement_timeout = 5000 ¦ create table t (id int, role text, event text)
    create index i on t (a) ¦ create view v as select 1 ¦ create function f() returns int language sql as 'select 1'
    alter table t add column owner text ¦ select pid from pg_stat_activity ¦ select "count"(*) from t ¦ drop ¦ select a.drop
    select "drop" from t ¦ select drop ¦ truncate(1, 2) ¦ truncate ¦ delete from a where id = 1 ¦ delete
    delete from a where id = 1 limit 5 ¦ update a set b = 1 where c = 2 ¦ update a ¦ select for update
    update a set b = 1 where id like '%' and c = 1 ¦ update a set b = 1 where id = 'id' ¦ merge into a using b on a.x = 1
    alter table a add b int ¦ alter table a add owner text ¦ alter table a add (b int drop) ¦ alter ¦ create temp table a
    create temporary table a ¦ create table user (a int) ¦ create function a() language sql as 'select 1'
    create view a as 'drop table b' ¦ create function a() as cx ¦ create rule a as on insert to b ¦ create index a on b (c)
    set session a = 1 ¦ set a = 1 ¦ update a set global = 1 where b = 2 ¦ select kill from a ¦ select a from 'drop table b'
    select language x 'drop table a' ¦ select as 'drop table a' ¦ select xexec('drop table a') ¦ select load_file
    select pg_reload_conf ¦ select "pg_reload_conf" ¦ select a into b ¦ select infile ¦ copy a from stdin ¦ copy a to stdout
    select copy from 'a' ¦ .show ¦ .tables ¦ select 1; ¦ ;;select 1 ¦ (select 1) ¦ ((select 1) union (select 2))
    select 1 -- drop table a ¦ select 1 # drop table a ¦ select 5--1 ¦ select 1 /* drop table a */ ¦ select /* /* */ drop table a */ 1
    select 'it''s' ¦ select "a""b" ¦ select $$drop table a$$ ¦ select $1, $2 ¦ select 1.5e10, 1e-5 ¦ select * */ from a
    insert into a values (1) on conflict do update set b = 1 ¦ insert into a select 1 on duplicate key update b = 1
    do 'select 1; select 2' ¦ select 'xp_cmdshell' ¦ exec a 'drop table b' ¦ select execx('drop table a')
    prepare a as select 'drop table b' ¦ do sleep('drop table a') ¦ comment on function a is 'drop table b'
    create function a(b text default 'drop table c') language sql ¦ select function as 'drop table b'
    create view a as select b as function, c as 'drop table d' ¦ select outfile from a ¦ select a into myoutfile
    select a into outfiles ¦ load index into cache a ¦ set xrole = 1 ¦ set roles = 1 ¦ set local xrole = 1 ¦ set local roles = 1
    set globals = 1 ¦ set xglobal = 1 ¦ set a = 1, b = @@globals.c ¦ set a = global
    insert into a values (b, global) on conflict do nothing ¦ select $$truncate table a$$ ¦ detach xtable a ¦ detach tables a
    rename view a to b ¦ rename xtable a to b ¦ rename tables a to b ¦ reset xmaster ¦ reset masters ¦ create users a ¦ create xuser a
    create triggers a ¦ create xtrigger a ¦ create functions a language c ¦ create xfunction a language c ¦ create index do on a (b)
    create definer = a@b view c as select 1 ¦ create view definer as select 1
    create function c() returns int language sql as 'select 1' ¦ create function a() language basic ¦ create function a() language cobol
    alter users a ¦ alter xuser a ¦ alter table a add foreign key (b) references c on delete cascade on update set null
    select 'then' kill 5 ¦ .show_x ¦ .schema ¦ .stats ¦ delete from t where limits = 1 ¦ delete from t where a_limit = 1 limit 5
    delete from t where exists (select 1 from u where u.id = t.id limit 5) and id = 1 ¦ delete from t where id = 'id'
    update t set "limit" = 5 where id = 1 ¦ update t set returning = 5 where id = 1
    update t set a = (select b from c order by d limit 1) where id = 1 ¦ delete from t where true and (limit = 5)
    delete from a where x > 5 and x < 10 ¦ delete from a where id = $1 ¦ delete from a where id = :id ¦ delete from a where id = @id
    delete from a where id = ? ¦ delete from a where status in ('x', 'y') ¦ delete from a where id = any ($1)
    delete from a where id between 5 and 10 and 1 = 1 ¦ delete from a where x = 5 and x = 6
    delete from a where exists (select 1 from b) and id = 2 ¦ delete from a where id in (select id from a) and x = 1
    DELETE FROM "users" WHERE "users"."id" = $1 ¦ DELETE FROM "users" WHERE "users"."id" IN ($1, $2)
    DELETE FROM "users" WHERE "id" = ? ¦ DELETE FROM users WHERE "userId" = $1
    UPDATE "posts" SET "deletedAt" = CURRENT_TIMESTAMP WHERE "posts"."id" = 5 AND "posts"."deletedAt" IS NULL
    SELECT * FROM users WHERE email = 'a@b.c' ORDER BY created_at DESC LIMIT 10
    select count(*) from orders where status = 'open' or total > 100
    SELECT u.name, o.total FROM users u JOIN orders o ON o.user_id = u.id
    with recent as (select * from orders where created_at > now() - interval '1 day') select * from recent
    SELECT date_trunc('day', created_at) AS day, sum(total) FROM orders GROUP BY 1 HAVING sum(total) > 5
    INSERT INTO users (name, email) VALUES ('Ada', 'ada@example.com') RETURNING id ¦ insert into t select * from u where id > 5
    INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = excluded.b ¦ replace into t values (1, 'x')
    UPDATE users SET name = 'Bob' WHERE id = 5 ¦ update users set name = $1, seen = now() where id = $2 and deleted_at is null
    update t set a = a + 1 where id in (1, 2, 3) ¦ UPDATE t SET a = 1 WHERE created_at BETWEEN '2024-01-01' AND '2024-02-01'
    update t set a = 1 where created_at >= '2024-01-01' and created_at < '2024-02-01'
    update t set a = 1 where n > 5 and n <= 10 and b is not null ¦ DELETE FROM sessions WHERE token = ?
    delete from sessions where user_id = :user_id and expires_at < now() ¦ DELETE FROM [dbo].[Users] WHERE [Id] = @id
    delete from t where id = %s ¦ delete from t where id = %(id)s ¦ delete from t where id = {id:UInt32}
    delete from t where id = '5'::uuid ¦ delete from t where d = date '2024-01-01' ¦ delete from t where date = '2024-01-01' returning *
    delete from t where (((id = 5)) and (a > 1 or b > 2)) ¦ delete from t where id = any($1) ¦ delete from t where id = ANY ($1::int[])
    delete from t where active = true and id between 5 and 10 ¦ delete from t where id == 5 ¦ delete from t where price = -5
    delete from t where id between $1 and $2 limit 100 ¦ alter table t update a = 1 where id = 5 ¦ delete from t where id = 0x1F
    CREATE TABLE t (id serial primary key, name text not null default '', at timestamptz) ¦ create index concurrently i on t (a)
    create or replace view v as select 1 ¦ ALTER TABLE t ADD COLUMN a int ¦ alter table t rename column a to b
    create type mood as enum ('a', 'b') ¦ BEGIN; UPDATE t SET a = 1 WHERE id = 5; COMMIT
    start transaction; delete from t where id = 5; rollback; ¦ begin transaction; insert into t values (1); commit transaction
    explain analyze select 1 ¦ EXPLAIN SELECT * FROM t ¦ show tables ¦ describe t ¦ PRAGMA table_info(t) ¦ vacuum analyze t
    comment on table t is 'drop table x; it''s a joke' ¦ select 'delete from t' as text ¦ copy t from stdin
    merge into t using s on t.id = s.id when not matched then insert values (1) ¦ select * from t where data ? 'x'
    select a from t -- drop table t
  `),
  ...statements("alter table a rename column b to `drop` ¦ \\copy a from b ¦ \\o a ¦ \\gexec ¦ \\w a ¦ \\dt"),
  ...statements("select '\\g' ¦ select e'it\\'s; drop table a' ¦ select `a``b` ¦ select a.shape, '\\g' from b"),
  ...statements("select (`drop` b) ¦ alter table a rename `owner` to b ¦ copy `program` from stdin"),
  ...statements("select `then` kill 5 ¦ delete from t where `id` = 1 ¦ delete from t where `limit` = 5"),
  ...statements("delete from t where `or` = 1 ¦ UPDATE `users` SET `name` = 'x' WHERE `id` = 5"),
  " \\d a\nselect 1",
];

describe.each(Object.entries(dangerous))("%s", (kind, sqls) => {
  test.each(sqls)("is found in %s", (sql) => expect(kindsIn(sql)).toContain(kind));
});

test.each(everyday)("%s is everyday", (sql) => expect(kindsIn(sql)).toEqual([]));

test("each kind is told once, with its object", () => {
  const said = (sql: string) => detectSqlDangers(sql).map(({ kind, what }) => `${kind}: ${what}`);
  expect(said("drop table a; drop index b")).toEqual(["stacked: has 2 statements", "drop: drops: table"]);
  expect(said("select load_file('a')")).toEqual(["program: calls load_file, which reaches files or programs of the server"]);
  expect(said("update a set b = 1")).toEqual(["unbounded_change: changes rows that its WHERE does not name"]);
  expect(said("delete from a")).toEqual(["unbounded_change: deletes rows that its WHERE does not name"]);
});

test("a text that is too long, too deep or has too many statements in it cannot be read", () => {
  expect(kindsIn(`select ${"x".repeat(5_993)}`)).toEqual([]);
  expect(kindsIn(`select ${"x".repeat(5_994)}`)).toEqual(["unreadable"]);
  const sets = (count: number) => Array.from({ length: count }, () => "begin set a = 1").join(" ");
  expect(kindsIn(sets(20))).toEqual([]);
  expect(kindsIn(sets(21))).toEqual(["unreadable"]);
  const nested = (depth: number): string => (depth === 0 ? "select 1" : `do $t${depth}$${nested(depth - 1)}$t${depth}$`);
  expect(kindsIn(nested(4))).toEqual([]);
  expect(kindsIn(nested(5))).toEqual(["unreadable"]);
  expect(kindsIn(`delete from a where ${"(".repeat(8)}id = 1${")".repeat(8)}`)).toEqual([]);
  expect(kindsIn(`delete from a where ${"(".repeat(9)}id = 1${")".repeat(9)}`)).toEqual(["unbounded_change"]);
});
