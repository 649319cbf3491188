import "server-only";
import { and, asc, eq, isNotNull, or } from "drizzle-orm";
import type { McpPersonSignIn } from "@/contracts/mcp/mcp-authorization";
import type { Db } from "@/db/client";
import { mcpPersonSignIns, users } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { findServer } from "./find-server";

/** Finds a person's sign-in at a server; null when that person never began one. */
export async function findPersonSignIn(tx: Db, serverId: string, personId: string) {
  const [row] = await tx
    .select()
    .from(mcpPersonSignIns)
    .where(and(eq(mcpPersonSignIns.serverId, serverId), eq(mcpPersonSignIns.personId, personId)));
  return row ?? null;
}

/** Lists who is signed in to a server, by name: everybody for admins of servers, and oneself for others. */
export async function listPersonSignIns(actor: Authorized<"tools:read">, serverId: string): Promise<{ items: McpPersonSignIn[] }> {
  await findServer(db(), actor.workspaceId, serverId);
  const rows = await db()
    .select({
      personId: mcpPersonSignIns.personId,
      name: users.name,
      authorization: mcpPersonSignIns.authorization,
      lastError: mcpPersonSignIns.lastError,
    })
    .from(mcpPersonSignIns)
    .innerJoin(users, eq(users.id, mcpPersonSignIns.personId))
    .where(
      and(
        eq(mcpPersonSignIns.serverId, serverId),
        or(isNotNull(mcpPersonSignIns.authorization), isNotNull(mcpPersonSignIns.lastError)),
        actor.permissions.has("mcp:write") ? undefined : eq(mcpPersonSignIns.personId, actor.personId),
      ),
    )
    .orderBy(asc(users.name), asc(mcpPersonSignIns.personId));
  const items = rows.map(({ personId, name, authorization, lastError }) => {
    const { issuer = null, scope = null, neededScope = null, signedInAt = null } = authorization ?? {};
    return { personId, name, isYou: personId === actor.personId, issuer, scope, neededScope, signedInAt, lastError };
  });
  return { items };
}
