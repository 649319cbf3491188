import type { AddressInfo, Server as NetServer } from "node:net";
import mysql from "mysql2";
import { expect, onTestFinished, test, vi } from "vitest";
import { type EngineSettings, queryLimits } from "./engine";
import { openMysql } from "./mysql";

const soon = () => AbortSignal.timeout(3_000);

type Client = {
  sequenceId: number;
  serverHandshake: (greeting: object) => void;
  writeOk: () => void;
  writeError: (error: { code: number; message: string }) => void;
  writeColumns: (columns: object[]) => void;
  writeTextRow: (row: (string | null)[]) => void;
  writeTextResult: (rows: object[], columns: object[]) => void;
  writeEof: () => void;
  on: (event: string, listener: (text: string) => void) => void;
};

const column = (name: string, columnType: number, characterSet = 45) => ({
  catalog: "def",
  schema: "shop",
  table: "t",
  orgTable: "t",
  name,
  orgName: name,
  characterSet,
  columnLength: 255,
  columnType,
  flags: 0,
  decimals: 0,
});

/** Starts a server that speaks MySQL's protocol until the test ends; `answer` decides statements that are no settings. */
async function mysqlServer(answer: (sql: string, client: Client) => void, version = "8.4.0") {
  const statements: string[] = [];
  const server = mysql.createServer((() => {}) as never);
  server.on("connection", (connection: unknown) => {
    const client = connection as Client;
    client.serverHandshake({
      protocolVersion: 10,
      serverVersion: version,
      connectionId: statements.length + 1,
      statusFlags: 2,
      characterSet: 45,
      // Protocol 4.1 with a database in the greeting, transactions and challenges; nothing that this server cannot read.
      capabilityFlags: 0x1 | 0x8 | 0x200 | 0x2000 | 0x8000,
    });
    client.on("error", () => {});
    const hear = (sql: string) => {
      statements.push(sql);
      client.sequenceId = 1;
      if (sql === "select version()") client.writeTextResult([{ v: version }], [column("v", 253)]);
      else if (/^(?:set|start|rollback|kill)/.test(sql)) client.writeOk();
      else answer(sql, client);
    };
    client.on("query", hear);
    // The server's half of the driver reports SET under this name.
    client.on("stmt_prepare", hear);
  });
  const { _server: net } = server as unknown as { _server: NetServer };
  await new Promise<void>((resolve) => net.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void net.close());
  const settings: EngineSettings = {
    kind: "mysql",
    host: "127.0.0.1",
    port: (net.address() as AddressInfo).port,
    database: "shop",
    username: "reader",
    password: "top-secret",
    sslMode: "disable",
    file: "",
  };
  const engine = await openMysql(settings);
  onTestFinished(() => engine.close());
  return { engine, statements };
}

test("a query runs in a read-only transaction with a limit of time, and its values arrive exactly", async () => {
  const { engine, statements } = await mysqlServer((_sql, client) => {
    client.writeColumns([
      column("id", 8),
      column("country", 253),
      column("total", 246),
      column("at", 12),
      column("note", 252, 63),
      column("t", 252),
    ]);
    client.writeTextRow(["9007199254740993", "nl", "1.5000", "2026-01-01 00:00:00", "ab", "text"]);
    client.writeTextRow(["2", null, null, null, null, null]);
    client.writeEof();
  });
  expect(await engine.probe(soon())).toBe("MySQL 8.4.0");
  statements.length = 0;
  const { columns, rows } = await engine.query("select * from orders -- all", soon());
  expect(columns.map(({ type }) => type)).toEqual(["number", "text", "number", "time", "bytes", "text"]);
  expect(rows).toEqual([
    ["9007199254740993", "nl", "1.5000", "2026-01-01T00:00:00", "2 bytes, base64 YWI=", "text"],
    ["2", null, null, null, null, null],
  ]);
  expect(statements).toEqual([
    "select version()",
    "set session sql_mode = 'STRICT_TRANS_TABLES'",
    "set session time_zone = '+00:00'",
    `set session max_execution_time = ${queryLimits.timeMs}`,
    `set session sql_select_limit = ${queryLimits.rows + 1}`,
    "start transaction read only",
    "select * from orders",
    "rollback",
  ]);
});

test("EXPLAIN and SHOW are sent as they are, in the same read-only transaction", async () => {
  const { engine, statements } = await mysqlServer((_sql, client) => {
    client.writeColumns([column("EXPLAIN", 253)]);
    client.writeTextRow(["-> Table scan on orders"]);
    client.writeEof();
  });
  for (const sql of ["explain analyze select * from orders -- why", "show create table orders;", "describe orders"])
    expect((await engine.query(sql, soon())).rows).toEqual([["-> Table scan on orders"]]);
  const sent = statements.filter((sql) => /^(?:start|explain|show|describe|rollback)/.test(sql));
  expect(sent).toEqual(
    ["explain analyze select * from orders", "show create table orders", "describe orders"].flatMap((sql) => [
      "start transaction read only",
      sql,
      "rollback",
    ]),
  );
});

test("a description has the foreign keys in both directions", async () => {
  const { engine } = await mysqlServer((sql, client) => {
    const isKeys = sql.includes("key_column_usage");
    const names = isKeys ? ["name", "from", "column", "target", "targetColumn"] : ["name", "type", "nullable", "key", "comment"];
    client.writeColumns(names.map((name) => column(name, 253)));
    const rows = isKeys
      ? [
          ["fk1", "lines", "order_id", "orders", "id"],
          ["fk1", "lines", "shop_id", "orders", "shop_id"],
          ["fk2", "orders", "country", "geo.countries", "code"],
        ]
      : [["mood", "enum('sad','happy')", "YES", "", ""]];
    for (const row of rows) client.writeTextRow(row);
    client.writeEof();
  });
  expect(await engine.describeTable("orders", soon())).toEqual({
    columns: [{ name: "mood", type: "enum('sad','happy')", nullable: true, isKey: false, comment: null }],
    foreignKeys: [{ table: "orders", columns: ["country"], target: "geo.countries", targetColumns: ["code"] }],
    referencedBy: [{ table: "lines", columns: ["order_id", "shop_id"], target: "orders", targetColumns: ["id", "shop_id"] }],
  });
});

test("rows beyond the limit are not read: the connection ends and its query is killed", async () => {
  const { engine, statements } = await mysqlServer((_sql, client) => {
    client.writeColumns([column("id", 3)]);
    for (let n = 0; n < 600; n += 1) client.writeTextRow([String(n)]);
  }, "10.11.1-MariaDB");
  const { rows, isCut } = await engine.query("select id from orders limit 100000", soon());
  expect([rows.length, isCut, rows.at(-1)]).toEqual([queryLimits.rows, true, [queryLimits.rows - 1]]);
  expect(statements).toContain(`set session max_statement_time = ${queryLimits.timeMs / 1_000}`);
  await vi.waitFor(() => expect(statements.some((sql) => /^kill query \d+$/.test(sql))).toBe(true));
});

test("a cancelled call kills its query, and an error of the server is told", async () => {
  const { engine, statements } = await mysqlServer((sql, client) => {
    if (sql.includes("nothing")) client.writeError({ code: 1146, message: "Table 'shop.nothing' doesn't exist" });
  });
  await expect(engine.query("select * from nothing", soon())).rejects.toThrow("MySQL refused: Table 'shop.nothing' doesn't exist");
  await expect(engine.query("select slow from orders", AbortSignal.timeout(200))).rejects.toMatchObject({ code: "timed_out" });
  await vi.waitFor(() => expect(statements.some((sql) => /^kill query \d+$/.test(sql))).toBe(true));
});

test("no refused statement reaches the server", async () => {
  const { engine, statements } = await mysqlServer((_sql, client) => client.writeOk());
  for (const sql of [
    "select load_file('/etc/passwd')",
    "select 1 /*!50000 into outfile '/x' */",
    "select sleep(9)",
    "select 1; drop table t",
    "explain analyze delete from t",
    "show grants",
  ])
    await expect(engine.query(sql, soon())).rejects.toMatchObject({ code: "invalid" });
  expect(statements).toEqual([]);
});
