import { describe, expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { findSqlOperands } from "./sql-operands";

const table: readonly [command: string, effects: string][] = [
  ["psql", "query outside"],
  ["psql -c 'select 1'", "query outside"],
  ["psql -h db.example.com -U app -c 'select a || b from t' app", "connect outside db.example.com"],
  ["psql -h /var/run/postgresql app", "query outside"],
  ["psql postgres://app:app@db/app", "connect outside db"],
  ["psql 'host=db user=x'", "connect outside db"],
  ["psql 'postgres:///app?host=db2'", "connect outside app; connect outside db2"],
  ["psql -c '\\d users'", "query outside"],
  ["psql -c '\\! id'", "execute not_known; query outside; !shell.runs_command"],
  ["psql -c \"copy t to program 'id'\"", "execute not_known; query outside; !shell.runs_command"],
  ["psql -c '\\o |id'", "execute not_known; query outside; !shell.runs_command"],
  ["psql -c '\\i ../x.sql'", "read outside ../x.sql; query outside"],
  ["psql -c \"\\copy t to 'x'\"", "write not_known; query outside"],
  ["psql -f ../x.sql -o out.txt", "read outside ../x.sql; write inside out.txt; query outside"],
  ["psql --version", ""],
  ["pg_dump -f ../x.sql app", "write outside ../x.sql; query outside"],
  ["pg_dump -h db app", "connect outside db"],
  ["pg_restore -l x.dump", "read inside x.dump"],
  [
    "pg_restore -c -d app ../x.dump",
    "delete outside irreversible; execute outside ../x.dump; query outside; !shell.delete_service_data; !shell.written_program",
  ],
  ["createdb app", "query outside"],
  [
    "mongosh --host localhost --eval 'db.dropDatabase()'",
    "execute not_known; connect outside localhost; delete outside irreversible; !shell.inline_program; !shell.delete_service_data",
  ],
  [
    "mongosh --eval 'db.users.drop()'",
    "execute not_known; query outside; delete outside irreversible; !shell.inline_program; !shell.delete_service_data",
  ],
  ["mongosh --eval 'db.users.find()'", "execute not_known; query outside; !shell.inline_program"],
  ["dropdb app", "delete outside irreversible; query outside; !shell.delete_service_data"],
  ["dropdb --help", ""],
  ["mysql -psecret -e 'select 1 | 2'", "query outside"],
  ["mysql -h db -e 'system id' app", "execute not_known; connect outside db; !shell.runs_command"],
  ["mysql --pager=x app", "execute not_known; query outside; !shell.runs_command"],
  ["mysql -e \"select 1 into outfile '/x'\"", "write not_known; query outside"],
  ["mysql -e \"load data infile '/x'\"", "read not_known; query outside"],
  ["mysqldump -r ../x.sql app", "write outside ../x.sql; query outside"],
  ["mysqladmin drop app", "query outside; delete outside irreversible; !shell.delete_service_data"],
  ["mysqladmin status", "query outside"],
  ["sqlite3 a.db 'select * from t'", "write inside a.db"],
  ["sqlite3 ../a.db", "write outside ../a.db"],
  ["sqlite3 -readonly ../a.db 'select 1'", "read outside ../a.db"],
  ["sqlite3 :memory: 'select 1'", ""],
  ["sqlite3", ""],
  ["sqlite3 a.db '.shell id'", "write inside a.db; execute not_known; !shell.runs_command"],
  ["sqlite3 a.db '.load x'", "write inside a.db; execute not_known; !shell.loads_code"],
  ["sqlite3 a.db '.output ../x'", "write inside a.db; write outside ../x"],
  ["sqlite3 a.db '.read ../x'", "write inside a.db; read outside ../x"],
  ["sqlite3 a.db '.import |id t'", "write inside a.db; execute not_known; read inside t; !shell.runs_command"],
  ["sqlite3 a.db \"select writefile('x','y')\"", "write inside a.db; write not_known"],
  ["sqlite3 a.db \"select readfile('x')\"", "write inside a.db; read not_known"],
  ["sqlite3 -cmd '.once ../x' a.db", "write inside a.db; write outside ../x"],
  ["sqlite3 -init x.sql a.db", "execute inside x.sql; write inside a.db; !shell.written_program"],
  ["duckdb -c \"select * from '../a.csv'\"", "read outside ../a.csv"],
  ["duckdb a.db \"copy t to '../b.parquet'\"", "write inside a.db; write outside ../b.parquet"],
  ["duckdb -c \"select * from read_csv('https://example.com/a.csv') where a = 'b'\"", "connect outside example.com"],
  ["duckdb -c 'install httpfs'", "execute not_known; !shell.loads_code"],
  ["mongosh mongodb://db/app --eval 'db.x.find()'", "execute not_known; connect outside db; !shell.inline_program"],
  ["mongosh x.js", "query outside; execute inside x.js; !shell.written_program"],
  ["mongosh", "query outside"],
  ["mongodump --uri mongodb://db -o ../x", "write outside ../x; connect outside db"],
  ["mongorestore --drop ../x", "delete outside irreversible; query outside; read outside ../x; !shell.delete_service_data"],
  ["redis-cli", "query outside"],
  ["redis-cli keys '/session/*'", "query outside"],
  ["redis-cli -h cache flushall", "connect outside cache; delete outside irreversible; !shell.delete_service_data"],
  ["redis-cli -u redis://cache:1 get a", "connect outside cache:1"],
  ["redis-cli config set dir /x", "query outside; execute not_known; !shell.loads_code"],
  ["redis-cli config get dir", "query outside"],
  ["redis-cli --pipe", "query outside; query not_known"],
  ["redis-cli --rdb ../x", "write outside ../x; query outside"],
  ['redis-cli "$x"', "execute not_known; query outside; query not_known; !shell.not_followed"],
  ["clickhouse-client -q 'select 1'", "query outside"],
  ["sqlcmd -S db -Q 'select 1'", "connect outside db"],
  ["cqlsh db", "connect outside db"],
  ["cqlsh", "query outside"],
  ["etcdctl del x", "query outside; delete outside irreversible; !shell.delete_service_data"],
  ["rabbitmqctl list_queues", "query outside"],
  ['psql -c "$sql"', "execute not_known; query outside"],
  ["sqlite3 a.db \"attach '../b.db' as b\"", "write inside a.db; write outside ../b.db"],
  ["createdb -O me app", "query outside"],
  ["pg_restore -f out.sql x.dump", "write inside out.sql; read inside x.dump"],
  ["pg_basebackup -D ../x", "write outside ../x; query outside"],
  ["duckdb -c \"select 1 where a in ('b')\"", ""],
  ["redis-cli config", "query outside"],
  ["mysql --ssl app", "query outside"],
  ["mongosh --tls mongodb://db", "connect outside db"],
];

describe("what clients of databases do", () => {
  it.each(table)("`%s` does: %s", (command, effects) => {
    expect(effectLines(command)).toBe(effects);
  });
});

describe("SQL in the words of a command", () => {
  it.each([
    ["psql", ["-h", "db", "-c", "select 1", "--command=select 2", "app"], ["select 1", "select 2"]],
    ["mysql", ["-psecret", "-e", "drop table t"], ["drop table t"]],
    ["sqlite3", ["a.db", "select 1", "delete from t"], ["select 1", "delete from t"]],
    ["duckdb", ["-c", "select 1"], ["select 1"]],
    ["redis-cli", ["get", "a"], []],
    ["ls", ["-c", "select 1"], []],
  ])("%s %j has %j", (name, words, texts) => {
    expect(findSqlOperands(name, words)).toEqual(texts);
  });
});
