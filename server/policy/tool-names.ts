import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";

/** Resolves an alias to its tool's name; returns every other name or pattern unchanged. */
export type ToolNames = (nameOrAlias: string) => string;

/** Loads names and aliases of a workspace's tools once, to resolve the names in many rules. */
export async function loadToolNames(tx: Pick<Db, "select">, workspaceId: string): Promise<ToolNames> {
  const { name, aliases } = tools;
  const known = await tx.select({ name, aliases }).from(tools).where(eq(tools.workspaceId, workspaceId)).orderBy(name);
  const names = new Set(known.map((tool) => tool.name));
  // When two tools share an alias, the first tool by name wins, because later map entries overwrite earlier ones.
  const byAlias = new Map(known.toReversed().flatMap((tool) => tool.aliases.map((alias) => [alias, tool.name] as const)));
  return (asked) => (names.has(asked) ? asked : (byAlias.get(asked) ?? asked));
}
