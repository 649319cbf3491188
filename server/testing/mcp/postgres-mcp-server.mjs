// An MCP server of a Postgres whose address is its first argument, as the usual ones are: it connects before it answers.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import postgres from "postgres";
import { z } from "zod";

const sql = postgres(process.argv[2], { max: 10, onnotice: () => {} });
await sql`select 1`;
const server = new McpServer({ name: "postgres", version: "1.0.0" });
const text = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });
server.registerTool("list_tables", { description: "Lists the tables of the database", inputSchema: {} }, async () =>
  text(await sql`select table_name from information_schema.tables where table_schema = 'public' order by 1`),
);
server.registerTool("read_table", { description: "Reads the rows of a table", inputSchema: { table: z.string() } }, async ({ table }) =>
  text(await sql`select * from ${sql(table)}`),
);
server.registerTool("find_table", { description: "Finds a table, and asks a person which one is meant", inputSchema: {} }, async () => {
  const properties = { name: { type: "string", title: "Name of the table" } };
  const message = "Which table do you mean?";
  const { content } = await server.server.elicitInput({ message, requestedSchema: { type: "object", properties, required: ["name"] } });
  return text(await sql`select table_name from information_schema.tables where table_name = ${content?.name ?? ""}`);
});
server.registerTool("drop_table", { description: "Drops a table", inputSchema: { table: z.string() } }, async ({ table }) => {
  const properties = { name: { type: "string", title: "Name of the table", description: "Type it once more" } };
  const message = `Really drop ${table}?`;
  const { action, content } = await server.server.elicitInput({
    message,
    requestedSchema: { type: "object", properties, required: ["name"] },
  });
  if (action !== "accept" || content.name !== table)
    return { isError: true, content: [{ type: "text", text: `Kept ${table}: ${action}` }] };
  await sql`drop table ${sql(table)}`;
  return { content: [{ type: "text", text: `Dropped ${table}` }] };
});
await server.connect(new StdioServerTransport());
