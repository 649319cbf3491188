import "server-only";
import { and, asc, eq } from "drizzle-orm";
import { dataSources as table } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { type DataSourceRow, withEngine } from "./connections";
import { type Engine, queryLimits, type ReadResult, type TableDetails, type TableInfo, tooSlow } from "./engines/engine";
import { demandRead, type ReadStatement } from "./sql/demand-read";
import { dialectOf } from "./sql/dialect-of";

export type DataSourceEntry = Pick<DataSourceRow, "name" | "kind" | "database" | "description">;

/** Rows with what their statement says about them. */
export type QueryAnswer = ReadResult & Pick<ReadStatement, "kind" | "measures">;

/** Enabled data sources of one workspace, for reading. Hosts and passwords stay behind it. */
export type DataSourcesCapability = {
  list: () => Promise<DataSourceEntry[]>;
  /** `source`: exact name. @throws AppError `not_found` */
  listTables: (source: string, signal: AbortSignal) => Promise<TableInfo[]>;
  describeTable: (source: string, name: string, signal: AbortSignal) => Promise<TableDetails>;
  /** Runs one statement that only reads, at most 30 seconds and 500 rows. @throws AppError */
  query: (source: string, sql: string, signal: AbortSignal) => Promise<QueryAnswer>;
};

export const dataSources = defineCapability({
  name: "data",
  title: "Data sources, for reading",
  isOfConversation: false,
  reachesHosts: true,
  create: ({ workspaceId }): DataSourcesCapability => dataSourcesOf(workspaceId),
});

/** Returns the data sources of a workspace. */
export function dataSourcesOf(workspaceId: string): DataSourcesCapability {
  type Work<T> = (engine: Engine, signal: AbortSignal, row: DataSourceRow) => Promise<T>;
  const use = async <T>(source: string, signal: AbortSignal, work: Work<T>): Promise<T> => {
    const row = await findEnabled(workspaceId, source);
    const late = AbortSignal.timeout(queryLimits.timeMs);
    try {
      return await withEngine(row, (engine) => work(engine, AbortSignal.any([signal, late]), row));
    } catch (error) {
      if (!isAppError(error) && late.aborted) throw tooSlow();
      throw error;
    }
  };
  return {
    list: () =>
      db()
        .select({ name: table.name, kind: table.kind, database: table.database, description: table.description })
        .from(table)
        .where(and(eq(table.workspaceId, workspaceId), eq(table.enabled, true)))
        .orderBy(asc(table.name))
        .limit(200),
    listTables: (source, signal) => use(source, signal, (engine, ending) => engine.listTables(ending)),
    describeTable: (source, name, signal) => use(source, signal, (engine, ending) => engine.describeTable(name, ending)),
    query: (source, sql, signal) =>
      use(source, signal, async (engine, ending, row) => {
        const { kind, measures } = demandRead(sql, dialectOf(row.kind));
        return { ...(await engine.query(sql, ending)), kind, measures };
      }),
  };
}

/** Finds a data source by its exact name alone, because guard rules match that name: no id and no other case gets past them. */
export async function findEnabled(workspaceId: string, source: string): Promise<DataSourceRow> {
  const [row] = await db()
    .select()
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), eq(table.enabled, true), eq(table.name, source)));
  if (!row)
    throw new AppError(
      "not_found",
      `There is no data source ${source.slice(0, 100)}. datasource with the action list_datasources lists them.`,
    );
  return row;
}
