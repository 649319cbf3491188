import { z } from "zod";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { dataSources, findEnabled } from "../capability";
import { type ColumnInfo, catalogLimits, type ForeignKey, queryLimits, type TableDetails } from "../engines/engine";
import { markdownTable } from "./format-result";

const actions = ["list_datasources", "list_tables", "describe_table"] as const;

export const datasource = defineTool({
  name: "datasource",
  title: "Look at data sources",
  description:
    "Explore the databases that you may read: list_datasources names them, list_tables lists the tables of one, describe_table lists the columns of a table with the values of enum types and the foreign keys. Then use sql_query.",
  family: "data-sources",
  tier: "extension",
  effect: "read",
  needs: [dataSources],
  names: {
    aliases: ["query_datasource", "datasource_query"],
    parameterAliases: {
      datasourceId: "dataSource",
      datasource_id: "dataSource",
      data_source: "dataSource",
      datasource: "dataSource",
      table_name: "tableName",
      table: "tableName",
    },
  },
  primaryArgument: "dataSource",
  input: z
    .strictObject({
      action: z
        .enum(actions, {
          error: ({ input }) => (input === undefined ? "received undefined" : `is unknown; use ${actions.join(", ")}`),
        })
        .describe("list_datasources, list_tables or describe_table"),
      dataSource: z.string().min(1).max(100).optional().describe("Name of a data source; for list_tables and describe_table"),
      tableName: z.string().min(1).max(300).optional().describe("Name of a table, with its schema where list_tables shows one"),
    })
    .superRefine(({ action, dataSource, tableName }, context) => {
      if (action !== "list_datasources" && dataSource === undefined)
        context.addIssue({ code: "custom", path: ["dataSource"], message: `${action} needs dataSource; list_datasources names them` });
      if (action === "describe_table" && tableName === undefined)
        context.addIssue({ code: "custom", path: ["tableName"], message: "describe_table needs tableName; list_tables names them" });
    }),
  approval: {
    // Refused before a person is asked, because an approval could not make it run.
    completeArguments: async (args, { workspaceId }) => {
      if (args.dataSource !== undefined && args.action !== "list_datasources") await findEnabled(workspaceId, args.dataSource);
      return args;
    },
  },
  async execute({ action, dataSource = "", tableName = "" }, { data, signal }) {
    if (action === "list_datasources") {
      const found = await data.list();
      if (found.length === 0) return "There are no data sources. An admin adds them in the console.";
      const rows = found.map(({ name, kind, database, description }) => [name, kind, database, description]);
      return markdownTable(["dataSource", "dbType", "databaseName", "description"], rows);
    }
    if (action === "list_tables") {
      const tables = await data.listTables(dataSource, signal);
      if (tables.length === 0) return "The data source has no tables that its user may read.";
      const more = tables.length >= queryLimits.tables ? `\n\nThese are the first ${queryLimits.tables} tables.` : "";
      return `${markdownTable(
        ["table", "type", "comment"],
        tables.map(({ name, type, comment }) => [name, type, comment]),
      )}${more}`;
    }
    const details = await data.describeTable(dataSource, tableName, signal);
    if (details.columns.length === 0)
      return toolResult({ text: `There is no table ${tableName} in ${dataSource}. list_tables lists its tables.`, isError: true });
    return describe(details);
  },
});

function describe({ columns, foreignKeys, referencedBy }: TableDetails): string {
  const rows = columns.map((column) => [
    column.name,
    typeWithValues(column),
    column.nullable ? "yes" : "no",
    column.isKey ? "yes" : "",
    column.comment,
  ]);
  const key = (columns: readonly string[]) => `(${columns.join(", ")})`;
  const from = ({ columns, target, targetColumns }: ForeignKey) => `- ${key(columns)} → ${target} ${key(targetColumns)}`;
  const to = ({ table, columns, targetColumns }: ForeignKey) => `- ${table} ${key(columns)} → ${key(targetColumns)}`;
  return [
    markdownTable(["column", "type", "nullable", "primary key", "comment"], rows),
    ...(foreignKeys.length > 0 ? [["Foreign keys:", ...foreignKeys.map(from)].join("\n")] : []),
    ...(referencedBy.length > 0 ? [["Foreign keys of other tables to this one:", ...referencedBy.map(to)].join("\n")] : []),
  ].join("\n\n");
}

/** Names the values of an enum type as MySQL's own types do. */
function typeWithValues({ type, values }: ColumnInfo): string {
  if (!values) return type;
  const written = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ");
  return `${type} enum(${written}${values.length >= catalogLimits.values ? ", …" : ""})`;
}
