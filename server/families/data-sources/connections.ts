import "server-only";
import type { DataSourceKind } from "@/contracts/tools/data-sources";
import type { dataSources } from "@/db/schema";
import { unseal } from "@/server/platform/crypto";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { type Engine, type EngineSettings, queryLimits } from "./engines/engine";

export type DataSourceRow = typeof dataSources.$inferSelect;

type Connection = { version: number; engine: Promise<Engine>; users: number; idle: NodeJS.Timeout | null; isReplaced: boolean };

const connections = () => processWide("dataSourceConnections", () => new Map<string, Connection>());

/** Drivers are loaded when a data source of their kind is first used. */
const openers: Record<DataSourceKind, (settings: EngineSettings) => Promise<Engine>> = {
  postgresql: async (settings) => (await import("./engines/postgresql")).openPostgresql(settings),
  mysql: async (settings) => (await import("./engines/mysql")).openMysql(settings),
  mariadb: async (settings) => (await import("./engines/mysql")).openMysql(settings),
  sqlite: async (settings) => (await import("./engines/sqlite")).openSqlite(settings),
  clickhouse: async (settings) => (await import("./engines/clickhouse")).openClickhouse(settings),
};

/**
 * Runs work on the connection of a data source. A row of another version than the connection's opens another one, so
 * that a change of settings on any replica holds from the next call on.
 */
export async function withEngine<T>(row: DataSourceRow, work: (engine: Engine) => Promise<T>): Promise<T> {
  const connection = connectionOf(row);
  connection.users += 1;
  if (connection.idle) clearTimeout(connection.idle);
  try {
    return await work(await connection.engine);
  } finally {
    connection.users -= 1;
    if (connection.users === 0) {
      if (connection.isReplaced) void close(connection);
      else connection.idle = setTimeout(() => forget(row.id, connection), queryLimits.idleMs).unref();
    }
  }
}

/** Closes every connection, at the stop of the process. */
export async function closeConnections(): Promise<void> {
  const open = [...connections().values()];
  connections().clear();
  await Promise.all(open.map(close));
}

function connectionOf(row: DataSourceRow): Connection {
  const known = connections().get(row.id);
  if (known?.version === row.version) return known;
  if (known) forget(row.id, known);
  const made: Connection = { version: row.version, engine: openers[row.kind](toSettings(row)), users: 0, idle: null, isReplaced: false };
  // A failed start is tried again by the next call.
  made.engine.catch(() => forget(row.id, made));
  connections().set(row.id, made);
  return made;
}

function forget(id: string, connection: Connection): void {
  if (connections().get(id) === connection) connections().delete(id);
  connection.isReplaced = true;
  if (connection.users === 0) void close(connection);
}

async function close({ engine, idle }: Connection): Promise<void> {
  if (idle) clearTimeout(idle);
  try {
    await (await engine).close();
  } catch (error) {
    log().warn({ err: error }, "a connection to a data source did not close");
  }
}

function toSettings(row: DataSourceRow): EngineSettings {
  const { kind, host, port, database, username, sslMode, file, passwordSealed } = row;
  return {
    kind,
    host,
    port: port ?? 0,
    database,
    username,
    sslMode,
    file,
    password: passwordSealed === null ? "" : unseal(passwordSealed),
  };
}
