import { z } from "zod";
import { defineTool } from "@/server/tools/define-tool";
import { dataSources, findEnabled } from "../capability";
import { queryLimits } from "../engines/engine";
import { beginsLikeRead, demandRead, maxSqlChars } from "../sql/demand-read";
import { dialectOf } from "../sql/dialect-of";
import { formatResult } from "./format-result";
import { sqlQueryDocumentation } from "./sql-query.documentation";

export const sqlQuery = defineTool({
  name: "sql_query",
  title: "Query a data source",
  description: `Run one SELECT, EXPLAIN or SHOW in a data source and return its rows: at most ${queryLimits.rows} rows and ${queryLimits.timeMs / 1_000} seconds, read-only. Use the SQL of its dbType. datasource names data sources, tables and columns.`,
  disclosure: { documentation: sqlQueryDocumentation },
  family: "data-sources",
  tier: "extension",
  effect: "read",
  needs: [dataSources],
  names: {
    aliases: ["execute_sql", "run_sql", "query_sql"],
    parameterAliases: {
      datasourceId: "dataSource",
      datasource_id: "dataSource",
      data_source: "dataSource",
      datasource: "dataSource",
      query: "sql",
      statement: "sql",
    },
  },
  primaryArgument: "dataSource",
  timeoutMs: queryLimits.timeMs + 5_000,
  input: z.strictObject({
    dataSource: z.string().min(1).max(100).describe("Name of a data source"),
    sql: z
      .string()
      .min(1)
      .max(maxSqlChars)
      .refine(beginsLikeRead, "must be one statement that only reads: SELECT, WITH, EXPLAIN of a SELECT, or SHOW")
      .describe("One SELECT, EXPLAIN or SHOW, without a semicolon and without comments that the database carries out"),
    chart: z
      .boolean()
      .optional()
      .describe("true: add a chart where the rows allow one; false: none. Without it, measures of GROUP BY are drawn"),
  }),
  approval: {
    // Refused before a person is asked, because an approval could not make it run.
    completeArguments: async (args, { workspaceId }) => {
      const { kind } = await findEnabled(workspaceId, args.dataSource);
      demandRead(args.sql, dialectOf(kind));
      return args;
    },
  },
  async execute({ dataSource, sql, chart }, { data, signal, progress }) {
    progress(`Waiting for ${dataSource}`);
    return formatResult(await data.query(dataSource, sql, signal), chart);
  },
});
