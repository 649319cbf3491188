import "server-only";
import { and, eq, isNull, lt, or } from "drizzle-orm";
import { type Permission, withImplied } from "@/contracts/permissions";
import { apiKeys } from "@/db/schema";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "./actor";
import { rememberActor } from "./actor-cache";
import { hashOfApiKey } from "./api-key-secret";

type Found = { row: typeof apiKeys.$inferSelect; permissions: ReadonlySet<Permission> };

/** @throws AppError `unauthenticated` for a key that is unknown, revoked or expired. */
export async function actorOfApiKey(key: string, requestId: string): Promise<Actor> {
  const hash = hashOfApiKey(key);
  const found = hash ? await rememberActor(`key ${hash}`, () => findKey(hash)) : null;
  if (!found) throw new AppError("unauthenticated", "This API key is not known. Check that it was copied whole, or create another one.");
  const { row, permissions } = found;
  if (row.revokedAt) throw new AppError("unauthenticated", `The API key "${row.name}" was revoked. Create another one.`);
  if (row.expiresAt && row.expiresAt.getTime() <= Date.now()) {
    throw new AppError("unauthenticated", `The API key "${row.name}" has expired. Create another one.`);
  }
  return {
    type: "api_key",
    id: row.id,
    name: row.name,
    workspaceId: row.workspaceId,
    role: null,
    permissions,
    agentId: row.agentId,
    requestId,
  };
}

/** What a key may do. Whatever its row says, a key that submits turns never answers its own questions. */
export function permissionsOfKey({ scopes, agentId }: { scopes: readonly Permission[]; agentId: string | null }): ReadonlySet<Permission> {
  const held = new Set(withImplied(scopes));
  if (agentId || scopes.includes("turns:write")) held.delete("approvals:decide");
  return held;
}

async function findKey(hash: string): Promise<Found | null> {
  const [row] = await db().select().from(apiKeys).where(eq(apiKeys.hash, hash));
  if (!row) return null;
  const minuteAgo = new Date(Date.now() - 60_000);
  if (!row.lastUsedAt || row.lastUsedAt < minuteAgo) {
    await db()
      .update(apiKeys)
      .set({ lastUsedAt: new Date() })
      .where(and(eq(apiKeys.id, row.id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, minuteAgo))));
  }
  return { row, permissions: permissionsOfKey(row) };
}
