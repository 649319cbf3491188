import "server-only";
import { request } from "undici";
import type { Json } from "@/contracts/common";
import { AppError, isAppError } from "@/server/platform/errors";
import { demandRead } from "../sql/demand-read";
import {
  assertFewColumns,
  boundRows,
  cutCell,
  type Engine,
  type EngineSettings,
  engineError,
  queryLimits,
  type ReadResult,
  type ResultColumn,
  tooSlow,
} from "./engine";

const product = "ClickHouse";
/** Longest answer that is read, in bytes. */
const maxAnswerBytes = 16_000_000;
/** Code of an error for settings that the user's own read-only profile refuses. */
const readonlyCode = 164;

/** Settings of each request: the server itself refuses everything but reads, and ends a query whose client left. */
const settingsOfQuery = {
  max_execution_time: String(queryLimits.timeMs / 1_000),
  max_result_rows: String(queryLimits.rows + 1),
  result_overflow_mode: "break",
  cancel_http_readonly_queries_on_client_close: "1",
  date_time_output_format: "iso",
  readonly: "1",
};

/** Reads ClickHouse over its HTTP interface with `readonly=1`. */
export async function openClickhouse(settings: EngineSettings): Promise<Engine> {
  const { Agent } = await import("undici");
  const dispatcher = new Agent({
    connections: queryLimits.connections,
    keepAliveTimeout: queryLimits.idleMs,
    connect: { timeout: queryLimits.connectMs, rejectUnauthorized: settings.sslMode === "verify_full" },
  });
  const hostname = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  const origin = `${settings.sslMode === "disable" ? "http" : "https"}://${hostname}:${settings.port}`;
  const send = async (sql: string, signal: AbortSignal, given: Record<string, string>) => {
    const url = new URL("/", origin);
    url.search = new URLSearchParams({ database: settings.database, default_format: "JSONCompact", ...given }).toString();
    const { statusCode, body } = await request(url, {
      method: "POST",
      dispatcher,
      signal,
      headers: { "x-clickhouse-user": settings.username, "x-clickhouse-key": settings.password, "content-type": "text/plain" },
      body: sql,
    });
    return { statusCode, text: await readAnswer(body as AsyncIterable<Buffer>) };
  };
  const read = async (sql: string, signal: AbortSignal, more: Record<string, string> = {}): Promise<ReadResult> => {
    try {
      let answer = await send(sql, signal, { ...settingsOfQuery, ...more });
      // A user whose own profile is read-only may not even repeat that; the profile refuses writes instead.
      if (answer.statusCode !== 200 && new RegExp(`Code: ${readonlyCode}\\b.*setting`, "s").test(answer.text.slice(0, 2_000)))
        answer = await send(sql, signal, more);
      if (answer.statusCode !== 200) throw refusal(answer.statusCode, answer.text);
      return parseAnswer(answer.text);
    } catch (error) {
      if (signal.aborted) throw tooSlow();
      throw isAppError(error) ? error : engineError(error, product);
    }
  };
  return {
    probe: async (signal) => `${product} ${(await read("SELECT version()", signal)).rows[0]?.[0]}`,
    listTables: async (signal) => {
      const { rows } = await read(
        `SELECT name, engine, comment FROM system.tables WHERE database = currentDatabase() ORDER BY name LIMIT ${queryLimits.tables}`,
        signal,
      );
      return rows.map(([name, engine, comment]) => ({
        name: String(name),
        type: /View$/.test(String(engine)) ? "view" : "table",
        comment: comment ? String(comment) : null,
      }));
    },
    describeTable: async (table, signal) => {
      const { rows } = await read(
        "SELECT name, type, is_in_primary_key, comment FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position",
        signal,
        { param_table: table },
      );
      const columns = rows.map(([name, type, isKey, comment]) => ({
        name: String(name),
        type: String(type),
        nullable: String(type).startsWith("Nullable("),
        isKey: Number(isKey) === 1,
        comment: comment ? String(comment) : null,
      }));
      return { columns, foreignKeys: [], referencedBy: [] };
    },
    query: async (sql, signal) => {
      const { text, kind } = demandRead(sql, "clickhouse");
      // EXPLAIN and SHOW take no LIMIT; their results are short, and the settings of each request bound them.
      if (kind !== "query") return read(text, signal);
      return read(`SELECT * FROM (${text}) LIMIT ${queryLimits.rows + 1} FORMAT JSONCompact`, signal);
    },
    close: () => dispatcher.close(),
  };
}

/** @throws AppError `invalid` for an answer above the limit */
async function readAnswer(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) throw new AppError("invalid", "The result is too large. Select fewer or shorter columns.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refusal(status: number, text: string): AppError {
  const sentence = text.slice(0, 1_000).trim();
  if (/Code: 159\b/.test(sentence)) return tooSlow();
  if (status === 401 || status === 403 || /Code: (?:516|192|193|194)\b/.test(sentence))
    return new AppError("invalid", `${product} refused the user or the password. An admin changes them in the data source.`);
  return new AppError("invalid", `${product} refused: ${sentence || `status ${status}`}`);
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => { meta?: { name: string; type: string }[]; data?: unknown[][] };

function parseAnswer(text: string): ReadResult {
  let answer: ReturnType<typeof parse>;
  try {
    // A number that JavaScript would change stays as the server wrote it.
    answer = parse(text, (_key, value, { source }) =>
      typeof value === "number" && source !== undefined && String(value) !== source ? source : value,
    );
  } catch {
    throw new AppError("unavailable", `${product} answered in an unknown form. An admin checks that the port is its HTTP interface.`);
  }
  const { meta = [], data = [] } = answer;
  assertFewColumns(meta.length);
  const columns = meta.map(({ name, type }): ResultColumn => ({ name, type: typeOf(type) }));
  return { columns, ...boundRows(data.map((row) => row.map(toCell))) };
}

function toCell(value: unknown): Json {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  return cutCell(typeof value === "string" ? value : JSON.stringify(value));
}

function typeOf(type: string): ResultColumn["type"] {
  const plain = type.replace(/^(?:LowCardinality\()?(?:Nullable\()?/, "");
  if (/^(?:U?Int|Float|Decimal|BFloat)/.test(plain)) return "number";
  if (/^Date/.test(plain)) return "time";
  return plain.startsWith("Bool") ? "boolean" : "text";
}
