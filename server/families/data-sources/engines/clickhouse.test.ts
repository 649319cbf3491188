import { expect, test } from "vitest";
import { httpApi } from "@/server/testing/services/http-api";
import { openClickhouse } from "./clickhouse";
import type { EngineSettings } from "./engine";

const never = new AbortController().signal;

async function engineAt(host: string) {
  const { hostname, port } = new URL(`http://${host}`);
  const settings: EngineSettings = {
    kind: "clickhouse",
    host: hostname,
    port: Number(port),
    database: "shop",
    username: "reader",
    password: "top-secret",
    sslMode: "disable",
    file: "",
  };
  return openClickhouse(settings);
}

const answer = {
  meta: [
    { name: "country", type: "LowCardinality(String)" },
    { name: "n", type: "UInt64" },
    { name: "d", type: "Nullable(Decimal(20, 4))" },
    { name: "at", type: "DateTime" },
    { name: "tags", type: "Array(String)" },
  ],
};

test("a query goes to the HTTP interface with readonly=1, limits and the user's headers, and numbers arrive exactly", async () => {
  const api = await httpApi((_request, response) =>
    response.end(
      `{"meta":${JSON.stringify(answer.meta)},"data":[["nl",18446744073709551615,1.5000,"2026-01-01T00:00:00Z",["a"]],["de",2,null,"",[]]]}`,
    ),
  );
  const engine = await engineAt(api.host);
  const { columns, rows } = await engine.query("select country, n, d, at, tags from orders -- all", never);
  expect(columns.map(({ type }) => type)).toEqual(["text", "number", "number", "time", "text"]);
  expect(rows).toEqual([
    ["nl", "18446744073709551615", "1.5000", "2026-01-01T00:00:00Z", '["a"]'],
    ["de", 2, null, "", "[]"],
  ]);
  const [sent] = api.received;
  expect(sent?.body).toBe("SELECT * FROM (select country, n, d, at, tags from orders) LIMIT 501 FORMAT JSONCompact");
  const query = new URL(String(sent?.url), api.origin).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({ database: "shop", readonly: "1", max_execution_time: "30", max_result_rows: "501" });
  expect(sent?.headers).toMatchObject({ "x-clickhouse-user": "reader", "x-clickhouse-key": "top-secret" });
  expect(sent?.url).not.toContain("top-secret");
  await engine.close();
});

test("EXPLAIN and SHOW go without a LIMIT, under the same settings", async () => {
  const api = await httpApi((_request, response) =>
    response.end('{"meta":[{"name":"explain","type":"String"}],"data":[["ReadFromMergeTree"]]}'),
  );
  const engine = await engineAt(api.host);
  for (const sql of ["explain indexes = 1 select * from orders -- why", "show tables;"])
    expect((await engine.query(sql, never)).rows).toEqual([["ReadFromMergeTree"]]);
  expect(api.received.map(({ body }) => body)).toEqual(["explain indexes = 1 select * from orders", "show tables"]);
  for (const { url } of api.received)
    expect(Object.fromEntries(new URL(String(url), api.origin).searchParams)).toMatchObject({
      readonly: "1",
      default_format: "JSONCompact",
    });
  await engine.close();
});

test("a user whose profile is read-only is asked again without settings; every other error is told", async () => {
  const api = await httpApi(({ url = "" }, response) => {
    if (url.includes("readonly=1")) {
      response.statusCode = 500;
      response.end("Code: 164. DB::Exception: Cannot modify 'max_execution_time' setting in readonly mode. (READONLY)");
    } else response.end('{"meta":[{"name":"one","type":"UInt8"}],"data":[[1]]}');
  });
  const engine = await engineAt(api.host);
  expect((await engine.query("select 1 as one", never)).rows).toEqual([[1]]);
  const failing = await httpApi((_request, response) => {
    response.statusCode = 404;
    response.end("Code: 60. DB::Exception: Table shop.nothing does not exist. (UNKNOWN_TABLE)");
  });
  await expect((await engineAt(failing.host)).query("select * from nothing", never)).rejects.toThrow("ClickHouse refused: Code: 60.");
  await expect((await engineAt("127.0.0.1:1")).probe(never)).rejects.toMatchObject({ code: "unavailable" });
  await engine.close();
});

test("nothing that leaves the database is sent", async () => {
  const api = await httpApi((_request, response) => response.end("{}"));
  const engine = await engineAt(api.host);
  for (const sql of [
    "select * from url('http://x', CSV)",
    "select 1 settings readonly=0",
    "select 1) format Native --",
    "insert into t select 1",
  ])
    await expect(engine.query(sql, never)).rejects.toMatchObject({ code: "invalid" });
  expect(api.received).toEqual([]);
  await engine.close();
});

test("a redirect is not followed, and a call that is cancelled ends its request", async () => {
  const target = await httpApi((_request, response) => response.end("{}"));
  const api = await httpApi((_request, response) => {
    response.statusCode = 302;
    response.setHeader("location", target.origin).end();
  });
  await expect((await engineAt(api.host)).probe(never)).rejects.toThrow("ClickHouse refused: status 302");
  expect(target.received).toEqual([]);
  const silent = await httpApi(() => {});
  await expect((await engineAt(silent.host)).query("select 1", AbortSignal.timeout(200))).rejects.toMatchObject({ code: "timed_out" });
});
