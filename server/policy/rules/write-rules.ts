import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { GuardRule } from "@/contracts/guard/guard";
import type { Db } from "@/db/client";
import { guardRules } from "@/db/schema";

/** Rows per statement, because Postgres takes at most 65,535 values in a statement. */
const rowsAtOnce = 1_000;

/** Inserts new rules and overwrites present rules, exactly as given. */
export async function writeRules(tx: Db, workspaceId: string, rules: readonly GuardRule[]): Promise<void> {
  const rows = rules.map(({ source: _source, createdAt, updatedAt, expiresAt, ...content }) => ({
    ...content,
    workspaceId,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }));
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await tx
      .insert(guardRules)
      .values(rows.slice(start, start + rowsAtOnce))
      .onConflictDoUpdate({ target: guardRules.id, set: newValues, setWhere: eq(guardRules.workspaceId, workspaceId) });
  }
}

export async function deleteRules(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    const some = inArray(guardRules.id, ids.slice(start, start + rowsAtOnce));
    await tx.delete(guardRules).where(and(eq(guardRules.workspaceId, workspaceId), some));
  }
}

const newValues = {
  name: sql`excluded.name`,
  tool: sql`excluded.tool`,
  parameter: sql`excluded.parameter`,
  pattern: sql`excluded.pattern`,
  excludePattern: sql`excluded.exclude_pattern`,
  comparisons: sql`excluded.comparisons`,
  context: sql`excluded.context`,
  verdict: sql`excluded.verdict`,
  priority: sql`excluded.priority`,
  enabled: sql`excluded.enabled`,
  reason: sql`excluded.reason`,
  expiresAt: sql`excluded.expires_at`,
  relaxes: sql`excluded.relaxes`,
  approvers: sql`excluded.approvers`,
  version: sql`excluded.version`,
  updatedAt: sql`excluded.updated_at`,
};
