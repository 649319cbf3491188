import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { callOf, mcpTool, policyOfRules, readTool, shellCall, shellTool } from "@/server/testing/guarded-calls";
import type { AskedCall } from "../asked-call";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const foundIn = (call: AskedCall) => decide(policy, call, 0).findings.filter(({ detector }) => detector.startsWith("sql."));
const idsOf = (call: AskedCall) => foundIn(call).map(({ detector }) => detector);
const inTool = (name: string, args: JsonObject) => idsOf(callOf({ ...mcpTool, name }, args));
const inShell = (command: string) => idsOf(shellCall(command));
const drop = ["sql.drop"];

describe("an argument is SQL", () => {
  test.each("sql SQL sql_query sql-text sqlStatement sqlCommand statement statements queries".split(" "))("by its name: %s", (name) => {
    expect(inTool("notes__save", { [name]: "execute 'drop table a'" })).toEqual(drop);
  });

  test.each("xsql sqls statementx xqueries query text".split(" "))("and not by the name %s", (name) => {
    expect(inTool("notes__save", { [name]: "begin drop table a" })).toEqual([]);
  });

  test.each(
    "x__sql postgres__q postgresql__q pg__q x__pg mysql__q mariadb__q sqlite__q duckdb__q clickhouse__q bigquery__q snowflake__q redshift__q oracle__q mssql__q database__q db__q supabase__q neon__q mysqlx__q".split(
      " ",
    ),
  )("where the tool is called %s", (tool) => {
    for (const name of ["query", "q", "text", "command", "input", "code", "script"])
      expect(inTool(tool, { [name]: "begin drop table a" })).toEqual(drop);
    for (const name of ["xquery", "queryx", "note"]) expect(inTool(tool, { [name]: "begin drop table a" })).toEqual([]);
  });

  test.each(["xdb__q", "dbx__q", "xpg__q"])("and not where it is called %s", (tool) => {
    expect(inTool(tool, { query: "begin drop table a" })).toEqual([]);
  });

  test.each<[string, string[]]>([
    ["drop  table a", drop],
    ["  drop table a", drop],
    ["-- ab\n  drop table a", drop],
    ["/* ab */  drop table a", drop],
    ["/* ab */-- c\ndrop table a", drop],
    ["truncate  table  ab", ["sql.truncate"]],
    ["truncate ab", ["sql.truncate"]],
    ["truncate ab ;", ["sql.truncate"]],
    ["truncate ab  cascade", ["sql.truncate"]],
    ["delete  from ab", ["sql.unbounded_change"]],
    ["update  ab  set c = 1", ["sql.unbounded_change"]],
    ["update ab as  cd  set c = 1", ["sql.unbounded_change"]],
    ["alter  table ab drop c", ["sql.alter_drop"]],
    ["grant  all on ab to c", ["sql.grant"]],
    ["revoke all on ab from c", ["sql.grant"]],
    ["copy  ab from 'c'", ["sql.program"]],
    ["select load_file('a')", ["sql.program"]],
    ["select ab into outfile 'c'", ["sql.program"]],
    ["insert  into ab values (load_file('c'))", ["sql.program"]],
    ["with  ab  as  (delete from c) select 1", ["sql.unbounded_change"]],
    ["load  data infile 'a' into table b", ["sql.program"]],
    ["execute  immediate 'drop table a'", drop],
    ["exec  xp_cmdshell 'ls'", ["sql.program"]],
    ["Please drop table a", []],
    ["dropped table a", []],
    ["truncate the text, drop table a", []],
    ["update me; drop table a", []],
    ["drop tables from the hall; drop table a", []],
    ["select. drop table a from b", []],
  ])("by how it begins: %j", (text, ids) => {
    expect(inTool("notes__save", { text })).toEqual(expect.arrayContaining(ids));
    if (ids.length === 0) expect(inTool("notes__save", { text })).toEqual([]);
  });

  test("unless it is the command that a shell reads, or a tool of our own for files has it", () => {
    expect(idsOf(callOf(shellTool, { command: "drop table a" }))).toEqual([]);
    expect(idsOf(callOf(shellTool, { command: "ls", note: "drop table a" }))).toEqual(drop);
    expect(idsOf(callOf(readTool, { path: "a", text: "drop table a" }))).toEqual([]);
  });
});

describe("a client of a database", () => {
  test.each(
    "psql pgcli mysql mariadb mycli mysqlsh sqlcmd mssql-cli isql usql bq cockroach snowsql sqlplus trino presto osqueryi impala-shell hive beeline spark-sql clickhouse clickhouse-client clickhouse-local".split(
      " ",
    ),
  )("is %s", (name) => {
    expect(inShell(`${name} -c 'begin drop table a'`)).toContain("sql.drop");
    expect(inShell(`${name} x 'begin drop table a'`)).toContain("sql.drop");
    expect(inShell(`${name} <<< 'begin drop table a'`)).toContain("sql.drop");
  });

  test.each(["sqlite", "sqlite3", "litecli", "duckdb"])("is %s, which takes a file first", (name) => {
    expect(inShell(`${name} a 'begin drop table a'`)).toContain("sql.drop");
    expect(inShell(`${name} 'begin drop table a'`)).not.toContain("sql.drop");
    expect(inShell(`${name} a .dump`)).not.toContain("sql.unreadable");
  });

  test.each(["-c", "-e", "-q", "-Q", "-Atc", "--command", "--comm", "--execute", "--exec", "--query", "--cmd", "--eval", "--init-command"])(
    "is told what to run by %s",
    (option) => {
      expect(inShell(`psql ${option} 'begin drop table a'`)).toContain("sql.drop");
      expect(inShell(`psql ${option}${option.startsWith("--") ? "=" : ""}'begin drop table a'`)).toContain("sql.drop");
    },
  );

  test.each([
    "psql -c foo",
    "psql -cfoo",
    "psql -Atc foo",
    "psql --command=foo",
    "mysql -e foo",
    "mysql -sNe foo",
    "sqlcmd -Q foo",
    "sqlcmd -q foo",
    "clickhouse-client -q foo",
    "duckdb -c foo",
    "sqlite3 -cmd foo a",
    "sqlite3 --cmd foo a",
    "trino --execute foo",
  ])("is told something that is no statement in %s", (command) => {
    expect(inShell(command)).toContain("sql.unreadable");
  });

  test.each([
    "psql -qAt -c 'select 1'",
    "psql -q a",
    "psql -eq -c 'select 1'",
    "psql -Atqc 'select 1'",
    "psql - a",
    "mysql -q -e 'select 1'",
    "mysql -ce 'select 1'",
    "sqlite3 -header -column a 'select 1'",
    "sqlite3 -csv -echo a 'select 1'",
    "sqlite3 -separator , a",
    "duckdb -csv -c 'select 1'",
    "psql -v 'a=b' -va='c d' x",
  ])("is told nothing dangerous in %s", (command) => {
    expect(inShell(command)).toEqual([]);
  });

  test.each([
    "psql a",
    "psql -h example.com -d a",
    "psql -hexample.com",
    "psql --x=y",
    "psql -f a",
    "psql -c ' '",
    "psql --x-command=a",
    "psql ax-c foo",
    "psql --commandx foo",
    "sqlite3 a -header",
  ])("is told nothing in %s", (command) => {
    expect(inShell(command)).toEqual([]);
  });

  test.each(["xpsql", "psqlx", "make"])("is not %s, though a statement stands in its arguments", (name) => {
    expect(inShell(`${name} 'begin drop table a'`)).toEqual([]);
    expect(inShell(`${name} 'drop table a'`)).toEqual(drop);
    expect(inShell(`${name} 'a drop'`)).toEqual([]);
  });

  test.each("echo printf grep egrep fgrep zgrep rgrep rg ag git sed awk gawk mawk nawk find".split(" "))(
    "is not %s, for which it is a text",
    (name) => {
      expect(inShell(`${name} 'drop table a'`)).toEqual([]);
    },
  );

  test.each(["xecho", "gitx", "xgrep", "pawk"])("is not %s, for which it may be more", (name) => {
    expect(inShell(`${name} 'drop table a'`)).toEqual(drop);
  });
});

test("each danger is told under its own name, with the statement", () => {
  const found = foundIn(callOf(mcpTool, { sql: "drop table a; truncate b" }));
  expect(found.map(({ detector, message }) => `${detector}: ${message}`).sort()).toEqual([
    "sql.drop: `drop table a; truncate b` drops a table.",
    "sql.stacked: `drop table a; truncate b` has 2 statements.",
    "sql.truncate: `drop table a; truncate b` empties a table.",
  ]);
});
