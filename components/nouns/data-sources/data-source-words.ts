import type { DataSource, DataSourceKind, SslMode } from "@/contracts/browser/tools/data-sources";

export const kindWords: Record<DataSourceKind, string> = {
  postgresql: "PostgreSQL",
  mysql: "MySQL",
  mariadb: "MariaDB",
  sqlite: "SQLite",
  clickhouse: "ClickHouse",
};

export const sslWords: Record<SslMode, string> = {
  disable: "No TLS",
  require: "TLS, certificate not checked",
  verify_full: "TLS, certificate checked",
};

/** Returns where a data source is: its file, or its server and database. */
export function placeOf({ kind, file, host, port, database }: DataSource): string {
  return kind === "sqlite" ? file : `${host.includes(":") ? `[${host}]` : host}:${port}/${database}`;
}
