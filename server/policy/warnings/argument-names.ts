import "server-only";
import { and, eq, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";

/** Names of the arguments of tools, by the tool's name. */
export type ArgumentNames = ReadonlyMap<string, readonly string[]>;

/** Reads the arguments of tools that others wrote: nothing else says what such a tool may do. */
export async function readArgumentNames(tx: Db, workspaceId: string): Promise<ArgumentNames> {
  const properties = sql`${tools.inputSchema} -> 'properties'`;
  const names = sql<
    string[]
  >`case when jsonb_typeof(${properties}) = 'object' then array(select jsonb_object_keys(${properties})) else '{}' end`;
  const rows = await tx
    .select({ name: tools.name, names })
    .from(tools)
    .where(and(eq(tools.workspaceId, workspaceId), ne(tools.source, "builtin"), eq(tools.enabled, true)));
  return new Map(rows.map((row) => [row.name, row.names]));
}
