import "server-only";
import { and, eq, or, type SQL } from "drizzle-orm";
import type { memoryScopes } from "@/contracts/memory/memory";
import type { memoryEntries, memoryFacts, memoryFiles } from "@/db/schema";

export type MemoryScope = (typeof memoryScopes)[number];

/** The agent that remembers, and the owner for whom it does. */
export type Rememberer = { workspaceId: string; agentId: string; ownerKey: string };

/** The place of a memory. */
export type MemoryPlace = Rememberer & { scope: MemoryScope };

/** Shared memory has no owner. */
export const ownerColumn = (scope: MemoryScope, ownerKey: string): string => (scope === "PERSONAL" ? ownerKey : "");

/** The memory of an agent as one owner has it; null: of all owners, for people. */
export type MemoryView = Omit<Rememberer, "ownerKey"> & { ownerKey: string | null };

/** Condition for the rows that an agent may read for an owner. */
export function isVisible(
  table: typeof memoryFiles | typeof memoryEntries | typeof memoryFacts,
  { workspaceId, agentId, ownerKey }: MemoryView,
): SQL | undefined {
  return and(
    eq(table.workspaceId, workspaceId),
    or(
      eq(table.scope, "GLOBAL"),
      and(eq(table.agentId, agentId), eq(table.scope, "TEAM")),
      and(eq(table.agentId, agentId), eq(table.scope, "PERSONAL"), ownerKey === null ? undefined : eq(table.ownerKey, ownerKey)),
    ),
  );
}
