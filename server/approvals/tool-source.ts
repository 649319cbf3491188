import { sql } from "drizzle-orm";

/** SQL for the source of an approval's tool as in audit rows: `builtin` or `mcp:<alias>`; null for a removed tool. */
export const toolSourceText = `(select tools.source || coalesce(':' || mcp_servers.alias, '') from tools left join mcp_servers on mcp_servers.id = tools.mcp_server_id
      where tools.workspace_id = approvals.workspace_id and tools.name = approvals.tool_name)`;

/** `toolSourceText` as a column of a query over approvals. */
export const toolSource = sql<string | null>`${sql.raw(toolSourceText)}`;
