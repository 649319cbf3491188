import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import { env } from "@/server/platform/env";
import { useTestDatabase } from "@/server/testing/test-database";
import { temporaryFolder } from "@/server/testing/tool-context";
import { queryLimits } from "./engine";
import { openSqlite } from "./sqlite";

useTestDatabase();

const never = new AbortController().signal;
let files = { shop: "", own: "" };
beforeAll(() => {
  files = { shop: "", own: path.join(env().dataDir, "own.db") };
  makeDatabase(files.own);
});

function makeDatabase(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`create table orders (id integer primary key, country text, at datetime, picture blob);
    insert into orders select value, 'nl', '2026-01-0' || (1 + value % 9), x'00ff' from json_each('[${Array.from({ length: 700 }, (_, n) => n + 1)}]');
    create view latest as select * from orders order by id desc limit 1`);
  database.close();
}

function shopFile(): string {
  const file = path.join(temporaryFolder(), "shop.db");
  makeDatabase(file);
  return file;
}

test("a SQLite file is read: its tables, columns and at most 500 rows, with integers that JavaScript cannot hold as text", async () => {
  const engine = await openSqlite({ file: shopFile() });
  expect(await engine.probe(never)).toMatch(/^SQLite 3\./);
  expect(await engine.listTables(never)).toEqual([
    { name: "latest", type: "view", comment: null },
    { name: "orders", type: "table", comment: null },
  ]);
  expect((await engine.describeTable("orders", never)).columns[0]).toMatchObject({
    name: "id",
    type: "INTEGER",
    nullable: false,
    isKey: true,
  });
  const { columns, rows, isCut } = await engine.query("select *, 9007199254740993 as big, 1.5 as f from orders order by id", never);
  expect(columns.map(({ type }) => type)).toEqual(["number", "text", "time", "bytes", "text", "number"]);
  expect([rows.length, isCut]).toEqual([queryLimits.rows, true]);
  expect(rows[0]).toEqual([1, "nl", "2026-01-02", "2 bytes, base64 AP8=", "9007199254740993", 1.5]);
});

test("a description has the foreign keys in both directions, also those that name no column of their target", async () => {
  const file = path.join(temporaryFolder(), "keys.db");
  const database = new DatabaseSync(file);
  database.exec(`create table places (k integer, txt text, primary key (k, txt));
    create table visits (k integer, txt text, earlier integer references Visits (rowid), foreign key (k, txt) references Places);`);
  database.close();
  const engine = await openSqlite({ file });
  const toPlaces = { table: "visits", columns: ["k", "txt"], target: "Places", targetColumns: ["k", "txt"] };
  const toItself = { table: "visits", columns: ["earlier"], target: "Visits", targetColumns: ["rowid"] };
  expect(await engine.describeTable("places", never)).toMatchObject({ foreignKeys: [], referencedBy: [toPlaces] });
  expect(await engine.describeTable("visits", never)).toMatchObject({ foreignKeys: [toPlaces, toItself], referencedBy: [toItself] });
  expect(await engine.describeTable("nothing", never)).toEqual({ columns: [], foreignKeys: [], referencedBy: [] });
});

test("EXPLAIN shows how SQLite runs a query, and runs none", async () => {
  const engine = await openSqlite({ file: shopFile() });
  const { columns, rows } = await engine.query("explain query plan select * from orders where id = 1", never);
  expect(columns.map(({ name }) => name)).toContain("detail");
  expect(rows.flat().join(" ")).toContain("SEARCH orders USING INTEGER PRIMARY KEY");
  expect((await engine.query("explain select count(*) from orders", never)).rows.flat()).toContain("OpenRead");
  const endless = "explain with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n";
  expect((await engine.query(endless, never)).rows.length).toBeGreaterThan(5);
});

test("SQLite itself refuses what is not a read, and the file stays as it is", async () => {
  const file = shopFile();
  const before = readFileSync(file);
  const engine = await openSqlite({ file });
  for (const sql of [
    "with x as (select 1) insert into orders(id) select 9999",
    "select load_extension('/tmp/x')",
    "select * from pragma_table_info('orders')",
    "select \"load_extension\"('/tmp/x')",
    "select hex(zeroblob(900000000))",
    "select * from orders; delete from orders",
    "explain delete from orders",
    "explain query plan select * from pragma_table_info('orders')",
  ])
    await expect(engine.query(sql, never)).rejects.toMatchObject({ code: "invalid" });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("an endless query ends with its signal, together with its process", async () => {
  const engine = await openSqlite({ file: shopFile() });
  const endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n";
  await expect(engine.query(endless, AbortSignal.timeout(300))).rejects.toMatchObject({ code: "timed_out" });
});

test("Handrail's own folders, links into them, system files and other files are refused", async () => {
  const folder = temporaryFolder();
  const link = path.join(folder, "link.db");
  symlinkSync(files.own, link);
  const text = path.join(folder, "text.db");
  writeFileSync(text, "not a database");
  mkdirSync(path.join(folder, "folder.db"));
  const refusals = [
    [files.own, "folder of Handrail"],
    [link, "folder of Handrail"],
    ["/proc/self/environ", "folder of Handrail or of the system"],
    [text, "not a SQLite database"],
    [path.join(folder, "folder.db"), "not a file"],
    [path.join(folder, "none.db"), "does not exist"],
  ] as const;
  for (const [file, reason] of refusals) {
    const engine = await openSqlite({ file });
    await expect(engine.query("select 1", never)).rejects.toThrow(reason);
  }
});
