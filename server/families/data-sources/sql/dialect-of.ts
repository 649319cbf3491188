import type { DataSourceKind } from "@/contracts/tools/data-sources";
import type { Dialect } from "@/server/sql-text/dialects";

/** Returns the dialect of a kind of data source. */
export const dialectOf = (kind: DataSourceKind): Dialect => (kind === "mariadb" ? "mysql" : kind);
