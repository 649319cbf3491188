/**
 * Runs the MySQL engine against a real MariaDB server of this machine (Debian: mariadb-server), in a folder of its own.
 * Run with `npx tsx --conditions=react-server scripts/check-mariadb.ts`. It fails at the first promise that does not hold.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import { type Engine, type EngineSettings, queryLimits } from "../server/families/data-sources/engines/engine";
import { openMysql } from "../server/families/data-sources/engines/mysql";

const server = "/usr/sbin/mariadbd";
if (!existsSync(server)) {
  console.error("There is no MariaDB on this machine. Install it (apt-get install mariadb-server), then start this again.");
  process.exit(1);
}
const folder = await mkdtemp(path.join(tmpdir(), "handrail-mariadb-"));
const user = userInfo().uid === 0 ? "mysql" : userInfo().username;
const never = new AbortController().signal;
const started: ChildProcess[] = [];
let engine: Engine | null = null;
let held = 0;

const holds = async (promise: string, check: () => Promise<void>) => {
  await check();
  held += 1;
  console.log(`ok  ${promise}`);
};

try {
  const settings = await start();
  engine = await openMysql(settings);
  await check(engine);
  console.log(`${held} promises hold.`);
} finally {
  await engine?.close();
  for (const child of started) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
}

async function check(engine: Engine): Promise<void> {
  await holds("the server tells its product and version", async () => {
    const told = await engine.probe(never);
    assert.match(told, /^MariaDB \d+\.\d+/);
    console.log(`    ${told}`);
  });
  await holds("tables and views are listed with comments, and columns described with keys", async () => {
    const tables = await engine.listTables(never);
    assert.deepEqual(
      tables.map(({ name, type, comment }) => [name, type, comment || null]),
      [
        ["numbers", "table", null],
        ["orders", "table", "Orders of the shop"],
        ["remembered", "table", null],
        ["totals", "view", null],
      ],
    );
    const { columns, referencedBy } = await engine.describeTable("orders", never);
    assert.deepEqual([columns[0]?.name, columns[0]?.isKey], ["id", true]);
    assert.deepEqual(referencedBy, [{ table: "remembered", columns: ["order_id"], target: "orders", targetColumns: ["id"] }]);
    assert.deepEqual((await engine.describeTable("remembered", never)).foreignKeys, referencedBy);
    assert.deepEqual((await engine.describeTable("nothing", never)).columns, []);
  });
  await holds("values arrive exactly", async () => {
    const { columns, rows } = await engine.query("select id, country, total, paid, at, note, data from orders order by id limit 1", never);
    assert.deepEqual(
      columns.map(({ name }) => name),
      ["id", "country", "total", "paid", "at", "note", "data"],
    );
    assert.deepEqual(rows[0]?.slice(0, 3), ["9007199254740993", "größe 中文", "1.5000"]);
    assert.equal(rows[0]?.[4], "2026-01-02T00:00:00");
    assert.match(String(rows[0]?.[5]), /^2 bytes, base64 /);
  });
  await holds(`at most ${queryLimits.rows} rows are read, and the pool goes on`, async () => {
    const { rows, isCut } = await engine.query("select a.id from orders a, orders b", never);
    assert.deepEqual([rows.length, isCut], [queryLimits.rows, true]);
    assert.deepEqual((await engine.query("with t as (select count(*) as n from orders) select n from t", never)).rows, [["700"]]);
  });
  await holds("EXPLAIN, ANALYZE and SHOW are read", async () => {
    for (const sql of ["explain select * from orders", "analyze select * from orders", "explain format=json select 1", "describe orders"])
      assert.ok((await engine.query(sql, never)).rows.length > 0, sql);
    assert.match(JSON.stringify((await engine.query("show create table orders", never)).rows), /Orders of the shop/);
  });
  const refused = [
    "analyze delete from orders",
    "explain delete from orders",
    "show grants",
    "with d as (select 1) delete from orders",
    "insert into orders (id) values (1)",
    "select * from orders into outfile '/tmp/handrail-out'",
    "select load_file('/etc/passwd')",
    "select /*!50000 1 into outfile '/tmp/x' */",
    "select /*M!100000 sleep(9) */ 1",
    "select nextval(numbers)",
    "select next value for numbers",
    "select remember(1)",
    "select * from orders for update",
    "set global general_log = 1",
    "call wipe()",
    "select 1; delete from orders",
  ];
  for (const sql of refused) {
    await holds(`refused: ${sql}`, () => assert.rejects(engine.query(sql, never), { code: "invalid" }));
  }
  await holds("nothing was written", async () => {
    assert.deepEqual((await engine.query("select count(*) from orders", never)).rows, [["700"]]);
    assert.deepEqual((await engine.query("select count(*) from remembered", never)).rows, [["0"]]);
  });
  await holds("a query that takes too long is ended at the server", async () => {
    const endless = "select count(*) from orders a, orders b, orders c, orders d where a.country <> d.country";
    const began = performance.now();
    await assert.rejects(engine.query(endless, AbortSignal.timeout(700)), { code: "timed_out" });
    assert.ok(performance.now() - began < 5_000);
    for (let tries = 0; ; tries += 1) {
      const { rows } = await engine.query(
        "select count(*) from information_schema.processlist where info like 'select count(*) from orders a%'",
        never,
      );
      if (rows[0]?.[0] === "0") break;
      assert.ok(tries < 50, "the query still runs at the server");
      await pause(100);
    }
  });
  await holds("an error of the server is told", () =>
    assert.rejects(engine.query("select * from missing", never), /MariaDB refused: .*missing/),
  );
}

/** Starts the server with a database for the checks, and returns how to reach it. */
async function start(): Promise<EngineSettings> {
  if (user === "mysql") {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, "mysql"], { encoding: "utf8" }).stdout));
    await chown(folder, uid ?? 0, gid ?? 0);
  }
  const data = path.join(folder, "data");
  const options = ["--no-defaults", `--datadir=${data}`, `--user=${user}`];
  const made = spawnSync("mariadb-install-db", [...options, "--auth-root-authentication-method=normal", "--skip-test-db"], {
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stderr}`);
  const port = await freePort();
  const socket = path.join(folder, "server.sock");
  const place = [`--port=${port}`, "--bind-address=127.0.0.1", `--socket=${socket}`, `--pid-file=${folder}/pid`];
  started.push(spawn(server, [...options, ...place], { stdio: "ignore" }));
  await prepare(socket);
  return {
    kind: "mariadb",
    host: "127.0.0.1",
    port,
    database: "shop",
    username: "reader",
    password: "top-secret",
    sslMode: "disable",
    file: "",
  };
}

async function prepare(socket: string): Promise<void> {
  const root = await connected(socket);
  const statements = [
    "create database shop character set utf8mb4",
    "use shop",
    "create table orders (id bigint primary key, country varchar(40) not null, total decimal(20,4), paid boolean, at datetime, note varbinary(10), data json) comment 'Orders of the shop'",
    "insert into orders select 9007199254740992 + seq, 'größe 中文', seq * 1.5, seq % 2, date_add('2026-01-01', interval seq day), x'00ff', '{\"a\": 1}' from seq_1_to_700",
    "create view totals as select country, sum(total) as total from orders group by country",
    "create sequence numbers",
    "create table remembered (n int, order_id bigint, foreign key (order_id) references orders (id))",
    "create function remember(n int) returns int begin insert into remembered (n) values (n); return n; end",
    "create procedure wipe() delete from orders",
    // More rights than a reader needs, so that what is refused is refused by Handrail.
    "create user reader@'127.0.0.1' identified by 'top-secret'",
    "grant all on shop.* to reader@'127.0.0.1'",
    "grant file, process on *.* to reader@'127.0.0.1'",
  ];
  for (const statement of statements) await root.query(statement);
  await root.end();
}

async function connected(socketPath: string) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await createConnection({ socketPath, user: "root" });
    } catch (error) {
      if (tries === 100) throw error;
      await pause(200);
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (!address || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
