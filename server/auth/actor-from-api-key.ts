import "server-only";
import { and, eq, isNull, lt, or, type SQL } from "drizzle-orm";
import { type Permission, withImplied } from "@/contracts/permissions";
import { apiKeys } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { sharedNow, sharedNowMs } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "./actor";
import { rememberActor } from "./actor-cache";
import { hashApiKey } from "./api-keys/api-key-secret";

type KeyRow = typeof apiKeys.$inferSelect;
type Found = { row: KeyRow; permissions: ReadonlySet<Permission>; personId: string };

/** @throws AppError `unauthenticated` for a key that is unknown, revoked or expired. */
export async function actorFromApiKey(key: string, requestId: string): Promise<Actor> {
  const hash = hashApiKey(key);
  const found = hash ? await rememberActor(`key ${hash}`, () => findKey(eq(apiKeys.hash, hash))) : null;
  return actorOf(found, requestId);
}

/** Finds the actor of a key whose secret nobody has: a client's tokens stand for it. @throws AppError `unauthenticated` */
export async function actorFromApiKeyId(id: string, requestId: string): Promise<Actor> {
  return actorOf(await rememberActor(`key id ${id}`, () => findKey(eq(apiKeys.id, id))), requestId);
}

function actorOf(found: Found | null, requestId: string): Actor {
  if (!found) throw new AppError("unauthenticated", "This API key is not known. Check that it was copied whole, or create another one.");
  const { row, permissions, personId } = found;
  if (row.revokedAt) throw new AppError("unauthenticated", `The API key "${row.name}" was revoked. Create another one.`);
  if (row.expiresAt && row.expiresAt.getTime() <= sharedNowMs()) {
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
    personId,
    requestId,
  };
}

/** Returns a key's permissions. A key that submits turns never has `approvals:decide`, even if its row says so. */
export function effectivePermissions({
  scopes,
  agentId,
}: {
  scopes: readonly Permission[];
  agentId: string | null;
}): ReadonlySet<Permission> {
  const held = new Set(withImplied(scopes));
  if (agentId || scopes.includes("turns:write")) held.delete("approvals:decide");
  return held;
}

async function findKey(which: SQL): Promise<Found | null> {
  const [row] = await db().select().from(apiKeys).where(which);
  if (!row) return null;
  const minuteAgo = new Date(sharedNowMs() - 60_000);
  if (!row.lastUsedAt || row.lastUsedAt < minuteAgo) {
    await db()
      .update(apiKeys)
      .set({ lastUsedAt: sharedNow() })
      .where(and(eq(apiKeys.id, row.id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, minuteAgo))));
  }
  return { row, permissions: effectivePermissions(row), personId: await personBehind(row) };
}

/** Finds the user at the top of the chain of keys that created this key; without a user, the id of the first key. */
async function personBehind(key: Pick<KeyRow, "id" | "createdBy">): Promise<string> {
  if (key.createdBy.type !== "api_key") return key.createdBy.type === "user" ? key.createdBy.id : key.id;
  const [creator] = await db()
    .select({ id: apiKeys.id, createdBy: apiKeys.createdBy })
    .from(apiKeys)
    .where(eq(apiKeys.id, key.createdBy.id));
  return creator ? personBehind(creator) : key.createdBy.id;
}
