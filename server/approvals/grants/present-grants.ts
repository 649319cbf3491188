import "server-only";
import { inArray } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Grant, GrantMatch } from "@/contracts/guard/grants";
import type { Db } from "@/db/client";
import { agents, apiKeys, users } from "@/db/schema";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { maskSecrets } from "@/server/secrets/mask-secrets";
import type { GrantRow } from "./write-grant";

/** Presents grants with secrets masked and the name of each scope, in the same order. No other code makes grants public. */
export async function presentGrants(tx: Pick<Db, "select">, rows: readonly GrantRow[]): Promise<Grant[]> {
  const names = await namesOf(tx, rows);
  const now = sharedNowMs();
  return rows.map((row) => ({
    id: row.id,
    scope: row.scope,
    scopeId: row.scopeId,
    scopeName: row.scope === "repository" ? row.scopeId : ((row.scopeId && names.get(row.scopeId)) ?? null),
    tool: row.tool,
    match: shown(row.match),
    contents: row.contents && { files: row.contents.files.map(({ path, as }) => ({ path, as })), notFixed: row.contents.notFixed },
    maxSeverity: row.maxSeverity,
    kind: row.kind,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    state: row.revokedAt ? "revoked" : row.expiresAt && row.expiresAt.getTime() <= now ? "expired" : "active",
    note: row.note,
    approvalId: row.approvalId,
    grantedBy: row.grantedBy,
    createdAt: row.createdAt.toISOString(),
    revokedBy: row.revokedBy,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    uses: row.uses,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }));
}

function shown(match: GrantRow["match"]): GrantMatch {
  return match.kind === "exact" ? { kind: "exact", arguments: maskSecrets(match.arguments) as JsonObject } : match;
}

async function namesOf(tx: Pick<Db, "select">, rows: readonly GrantRow[]): Promise<Map<string, string>> {
  const ids = (scope: GrantRow["scope"]) => rows.flatMap((row) => (row.scope === scope && row.scopeId ? row.scopeId : []));
  const [agentIds, userIds] = [ids("agent"), ids("user")];
  const found = await Promise.all([
    agentIds.length > 0 ? tx.select({ id: agents.id, name: agents.name }).from(agents).where(inArray(agents.id, agentIds)) : [],
    userIds.length > 0 ? tx.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, userIds)) : [],
    userIds.length > 0 ? tx.select({ id: apiKeys.id, name: apiKeys.name }).from(apiKeys).where(inArray(apiKeys.id, userIds)) : [],
  ]);
  return new Map(found.flat().map(({ id, name }) => [id, name]));
}
