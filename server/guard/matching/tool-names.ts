import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";

/** Finds the name of the tool that has a name as an alias; every other name or pattern stays as it is. */
export type ToolNames = (nameOrAlias: string) => string;

/** Names and aliases of a workspace's tools, read once for many rules. */
export async function toolNamesOf(tx: Pick<Db, "select">, workspaceId: string): Promise<ToolNames> {
  const { name, aliases } = tools;
  const known = await tx.select({ name, aliases }).from(tools).where(eq(tools.workspaceId, workspaceId)).orderBy(name);
  const names = new Set(known.map((tool) => tool.name));
  // Of two tools with the same alias the first by name has it.
  const byAlias = new Map(known.toReversed().flatMap((tool) => tool.aliases.map((alias) => [alias, tool.name] as const)));
  return (asked) => (names.has(asked) ? asked : (byAlias.get(asked) ?? asked));
}
