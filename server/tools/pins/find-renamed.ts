import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { toolChanges } from "@/db/schema";
import { type AbsentTool, listAbsentContents } from "../absent-settings";
import { repairName } from "../resolve-name";

type Content = { name: string; contentHash: string | null };

/** Tools of the server that are known already. */
export type KnownTools = { rows: readonly Content[]; absent: ReadonlyMap<string, AbsentTool> };

/**
 * Finds, by the new tool's name, the known tool that a new tool takes over: one with the same content, or one whose name
 * models reach by the new name. Known are listed tools, tools that are gone, and definitions that a person has not accepted:
 * a tool must not escape an admin's setting, a pin or a rejection by a new name.
 */
export async function findRenamed(
  tx: Db,
  source: { workspaceId: string; mcpServerId: string },
  fresh: readonly { name: string; contentHash: string }[],
  { rows, absent }: KnownTools,
): Promise<Map<string, string>> {
  if (fresh.length === 0) return new Map();
  // The rows of tools that come back with this listing are gone already.
  const back = [...absent].map(([name, { pin }]) => ({ name, contentHash: pin?.contentHash ?? null }));
  const known = [...rows, ...back, ...(await listAbsentContents(tx, source)), ...(await listUnaccepted(tx, source))];
  const byContent = Map.groupBy(known, ({ contentHash }) => contentHash);
  const bySpelling = Map.groupBy(known, ({ name }) => repairName(name));
  return new Map(
    fresh.flatMap(({ name, contentHash }) => {
      const alike = [...(byContent.get(contentHash) ?? []), ...(bySpelling.get(repairName(name)) ?? [])];
      const from = alike.find((other) => other.name !== name);
      return from ? [[name, from.name] as const] : [];
    }),
  );
}

/** Definitions that wait for a person, or that a person rejected. */
async function listUnaccepted(tx: Db, { mcpServerId }: { mcpServerId: string }): Promise<Content[]> {
  const isUnaccepted = and(eq(toolChanges.mcpServerId, mcpServerId), inArray(toolChanges.status, ["pending", "rejected"]));
  const contentHash = sql<string>`${toolChanges.after} ->> 'contentHash'`;
  return tx.select({ name: toolChanges.toolName, contentHash }).from(toolChanges).where(isUnaccepted).orderBy(toolChanges.id);
}
