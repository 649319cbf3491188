import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { mcpPersonSignIns, memberships, users } from "@/db/schema";
import { actorFromApiKeyId } from "@/server/auth/actor-from-api-key";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import type { CallOrigin } from "@/server/tools/define-tool";
import { personMissing } from "../authorization/authorized-fetch";
import { hasAuthorizationHeader, type McpServerRow } from "../settings/server-settings";

/** The person whose sign-in a call carries. `signInId` is new with each sign-in, so that no session outlives one. */
export type Asker = { id: string; name: string; signInId: string };

type PersonalServer = Pick<McpServerRow, "id" | "alias" | "workspaceId" | "authorization" | "headersSealed">;

/**
 * Finds the person who asks for a call at a server where each person signs in: the person who started the run or turn, or
 * who made the API key. Null for a call without a person, which carries the workspace's sign-in.
 * @throws AppError `unavailable` that says who has to sign in and where
 */
export async function findAsker(server: PersonalServer, origin: Pick<CallOrigin, "requestedBy"> | undefined): Promise<Asker | null> {
  const personId = origin ? await personOf(origin) : null;
  const member = personId === null ? null : await findMember(server, personId);
  if (member?.signInId) return { id: member.id, name: member.name, signInId: member.signInId };
  if (member) throw new AppError("unavailable", `${personMissing(server.alias, member.name)} Then send the call again.`);
  if (server.authorization?.id || hasAuthorizationHeader(server)) return null;
  throw new AppError(
    "unavailable",
    `${server.alias} wants each person to sign in, this call belongs to no person, and the workspace is not signed in. An admin can connect the workspace under MCP servers: ${env().publicUrl}/mcp-servers?server=${server.alias}`,
  );
}

async function personOf({ requestedBy }: Pick<CallOrigin, "requestedBy">): Promise<string | null> {
  if (requestedBy.type === "user") return requestedBy.id;
  return requestedBy.type === "api_key" ? (await actorFromApiKeyId(requestedBy.id, newId())).personId : null;
}

/** Finds a member with the id of the sign-in; null for somebody who left, and for a key that no person made. */
async function findMember({ id, workspaceId }: PersonalServer, personId: string) {
  const [row] = await db()
    .select({ id: users.id, name: users.name, signInId: sql<string | null>`${mcpPersonSignIns.authorization} ->> 'id'` })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(mcpPersonSignIns, and(eq(mcpPersonSignIns.serverId, id), eq(mcpPersonSignIns.personId, memberships.userId)))
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, personId)));
  return row ?? null;
}
