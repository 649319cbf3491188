import "server-only";
import { eq } from "drizzle-orm";
import type { Delegate } from "@/contracts/agents/delegate";
import type { Db } from "@/db/client";
import { delegates } from "@/db/schema";

export type DelegateRow = typeof delegates.$inferSelect;

/** Loads the pipeline of a workspace; undefined when none is set up. */
export async function findDelegate(tx: Pick<Db, "select">, workspaceId: string): Promise<DelegateRow | undefined> {
  const [row] = await tx.select().from(delegates).where(eq(delegates.workspaceId, workspaceId));
  return row;
}

/** Converts the row to its public form; no other code does. The secret is left out. */
export function presentDelegate(row: DelegateRow | undefined): Delegate {
  if (!row)
    return {
      connected: false,
      url: null,
      agentId: null,
      hasSecret: false,
      timeoutSeconds: 1_800,
      enabled: false,
      version: 0,
      updatedAt: null,
    };
  const { url, agentId, secret, timeoutSeconds, enabled, version, updatedAt } = row;
  return {
    connected: enabled,
    url,
    agentId,
    hasSecret: secret !== null,
    timeoutSeconds,
    enabled,
    version,
    updatedAt: updatedAt.toISOString(),
  };
}
