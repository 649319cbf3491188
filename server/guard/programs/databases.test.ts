import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";
import { findSqlOperands } from "./sql-operands";

const table = examplesByName({
  "query outside": examples`
    psql ¦ psql -c 'select 1' ¦ psql -h /var/run/postgresql app ¦ psql -c '\d users' ¦ createdb app ¦ mysql -psecret -e 'select 1 | 2'
    mysqladmin status ¦ mongosh ¦ redis-cli ¦ redis-cli keys '/session/*' ¦ redis-cli config get dir ¦ clickhouse-client -q 'select 1'
    cqlsh ¦ rabbitmqctl list_queues ¦ createdb -O me app ¦ redis-cli config ¦ mysql --ssl app
  `,
  "connect outside db.example.com": examples`psql -h db.example.com -U app -c 'select a || b from t' app`,
  "connect outside db": examples`
    psql postgres://app:app@db/app ¦ psql 'host=db user=x' ¦ pg_dump -h db app ¦ sqlcmd -S db -Q 'select 1' ¦ cqlsh db
    mongosh --tls mongodb://db
  `,
  "connect outside app; connect outside db2": examples`psql 'postgres:///app?host=db2'`,
  "execute not_known; query outside; !shell.runs_command": examples`psql -c '\! id' ¦ psql -c "copy t to program 'id'" ¦ psql -c '\o |id' ¦ mysql --pager=x app`,
  "read outside ../x.sql; query outside": examples`psql -c '\i ../x.sql'`,
  "write not_known; query outside": examples`psql -c "\copy t to 'x'" ¦ mysql -e "select 1 into outfile '/x'"`,
  "read outside ../x.sql; write inside out.txt; query outside": examples`psql -f ../x.sql -o out.txt`,
  "": examples`psql --version ¦ dropdb --help ¦ sqlite3 :memory: 'select 1' ¦ sqlite3 ¦ duckdb -c "select 1 where a in ('b')"`,
  "write outside ../x.sql; query outside": examples`pg_dump -f ../x.sql app ¦ mysqldump -r ../x.sql app`,
  "read inside x.dump": examples`pg_restore -l x.dump`,
  "delete outside irreversible; execute outside ../x.dump; query outside; !shell.delete_service_data; !shell.written_program": examples`pg_restore -c -d app ../x.dump`,
  "execute not_known; connect outside localhost; delete outside irreversible; !shell.inline_program; !shell.delete_service_data": examples`
    mongosh --host localhost --eval 'db.dropDatabase()'
  `,
  "execute not_known; query outside; delete outside irreversible; !shell.inline_program; !shell.delete_service_data": examples`mongosh --eval 'db.users.drop()'`,
  "execute not_known; query outside; !shell.inline_program": examples`mongosh --eval 'db.users.find()'`,
  "delete outside irreversible; query outside; !shell.delete_service_data": examples`dropdb app`,
  "execute not_known; connect outside db; !shell.runs_command": examples`mysql -h db -e 'system id' app`,
  "read not_known; query outside": examples`mysql -e "load data infile '/x'"`,
  "query outside; delete outside irreversible; !shell.delete_service_data": examples`mysqladmin drop app ¦ etcdctl del x`,
  "write inside a.db": examples`sqlite3 a.db 'select * from t'`,
  "write outside ../a.db": examples`sqlite3 ../a.db`,
  "read outside ../a.db": examples`sqlite3 -readonly ../a.db 'select 1'`,
  "write inside a.db; execute not_known; !shell.runs_command": examples`sqlite3 a.db '.shell id'`,
  "write inside a.db; execute not_known; !shell.loads_code": examples`sqlite3 a.db '.load x'`,
  "write inside a.db; write outside ../x": examples`sqlite3 a.db '.output ../x' ¦ sqlite3 -cmd '.once ../x' a.db`,
  "write inside a.db; read outside ../x": examples`sqlite3 a.db '.read ../x'`,
  "write inside a.db; execute not_known; read inside t; !shell.runs_command": examples`sqlite3 a.db '.import |id t'`,
  "write inside a.db; write not_known": examples`sqlite3 a.db "select writefile('x','y')"`,
  "write inside a.db; read not_known": examples`sqlite3 a.db "select readfile('x')"`,
  "execute inside x.sql; write inside a.db; !shell.written_program": examples`sqlite3 -init x.sql a.db`,
  "read outside ../a.csv": examples`duckdb -c "select * from '../a.csv'"`,
  "write inside a.db; write outside ../b.parquet": examples`duckdb a.db "copy t to '../b.parquet'"`,
  "connect outside example.com": examples`duckdb -c "select * from read_csv('https://example.com/a.csv') where a = 'b'"`,
  "execute not_known; !shell.loads_code": examples`duckdb -c 'install httpfs'`,
  "execute not_known; connect outside db; !shell.inline_program": examples`mongosh mongodb://db/app --eval 'db.x.find()'`,
  "query outside; execute inside x.js; !shell.written_program": examples`mongosh x.js`,
  "write outside ../x; connect outside db": examples`mongodump --uri mongodb://db -o ../x`,
  "delete outside irreversible; query outside; read outside ../x; !shell.delete_service_data": examples`mongorestore --drop ../x`,
  "connect outside cache; delete outside irreversible; !shell.delete_service_data": examples`redis-cli -h cache flushall`,
  "connect outside cache:1": examples`redis-cli -u redis://cache:1 get a`,
  "query outside; execute not_known; !shell.loads_code": examples`redis-cli config set dir /x`,
  "query outside; query not_known": examples`redis-cli --pipe`,
  "write outside ../x; query outside": examples`redis-cli --rdb ../x ¦ pg_basebackup -D ../x`,
  "execute not_known; query outside; query not_known; !shell.not_followed": examples`redis-cli "$x"`,
  "execute not_known; query outside": examples`psql -c "$sql"`,
  "write inside a.db; write outside ../b.db": examples`sqlite3 a.db "attach '../b.db' as b"`,
  "write inside out.sql; read inside x.dump": examples`pg_restore -f out.sql x.dump`,
});

it.each(table)("what clients of databases do: %s, by `%s`", (effects, command) => expect(effectLines(command)).toBe(effects));

it.each([
  ["psql", ["-h", "db", "-c", "select 1", "--command=select 2", "app"], ["select 1", "select 2"]],
  ["mysql", ["-psecret", "-e", "drop table t"], ["drop table t"]],
  ["sqlite3", ["a.db", "select 1", "delete from t"], ["select 1", "delete from t"]],
  ["duckdb", ["-c", "select 1"], ["select 1"]],
  ["redis-cli", ["get", "a"], []],
  ["ls", ["-c", "select 1"], []],
])("SQL in the words of a command: %s %j has %j", (name, words, texts) => expect(findSqlOperands(name, words)).toEqual(texts));
