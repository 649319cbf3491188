import "server-only";
import { and, eq } from "drizzle-orm";
import type { SessionScope } from "@/contracts/mcp/session-scope";
import { mcpSessions } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { bootId } from "@/server/platform/ids";
import { isReplicaGone } from "@/server/replicas/presence";
import type { CallOrigin } from "@/server/tools/define-tool";
import type { Asker } from "./find-asker";

/** The conversation, user or signed-in person that a session belongs to. */
export type SessionOwner = {
  key: string;
  conversationId: string | null;
  /** The person whose sign-in the session carries; null: the workspace's. */
  person: Asker | null;
  /** Each replica has a session of its own, because the session keeps no state. */
  isLocal: boolean;
};

/** The replica that keeps a session open. `isLost`: another replica kept it, and that replica is gone. */
export type SessionPlace = { kind: "here"; isLost: boolean } | { kind: "there"; replica: string };

const maxTries = 5;

export const conversationKey = (conversationId: string): string => `conversation:${conversationId}`;

const personPrefix = "person:";
/** Tells whether each replica has a session of this key. */
export const isLocalKey = (key: string): boolean => key.startsWith(personPrefix);

/** The owner of the sessions of a signed-in person that no conversation or user has to itself. */
export const personOwner = (person: Asker): SessionOwner => ({
  key: `${personPrefix}${person.id}:${person.signInId}`,
  conversationId: null,
  person,
  isLocal: true,
});

/**
 * Names the owner of the session for a call; null for the shared session. A session carries one sign-in for all its life, so
 * it never serves a call of somebody else. @throws AppError for a call without a conversation.
 */
export function sessionOwner(
  scope: SessionScope,
  alias: string,
  { origin, person }: { origin: CallOrigin | undefined; person: Asker | null },
): SessionOwner | null {
  if (scope === "shared") return person && personOwner(person);
  const signIn = person ? `:${personPrefix}${person.id}:${person.signInId}` : "";
  const rest = { person, isLocal: false };
  if (!origin) throw new AppError("unavailable", `${alias} keeps a session per conversation or user, and this call belongs to none.`);
  const { conversationId, requestedBy } = origin;
  if (scope === "per_conversation") return { key: `${conversationKey(conversationId)}${signIn}`, conversationId, ...rest };
  return { key: `user:${requestedBy.type}:${requestedBy.id}${signIn}`, conversationId: null, ...rest };
}

/**
 * Returns where the session of an owner is, and claims it for this replica when no living replica has it. The row decides,
 * so two replicas never keep a session of the same owner.
 */
export async function placeSession(mcpServerId: string, { key, conversationId, isLocal }: SessionOwner): Promise<SessionPlace> {
  if (isLocal) return { kind: "here", isLost: false };
  const ofOwner = and(eq(mcpSessions.mcpServerId, mcpServerId), eq(mcpSessions.scopeKey, key));
  for (let tries = 0; tries < maxTries; tries += 1) {
    const claimed = await db()
      .insert(mcpSessions)
      .values({ mcpServerId, scopeKey: key, conversationId, owner: bootId() })
      .onConflictDoNothing()
      .returning({ id: mcpSessions.id });
    if (claimed.length > 0) return { kind: "here", isLost: false };
    const [row] = await db().select().from(mcpSessions).where(ofOwner);
    if (!row) continue;
    if (row.owner === bootId()) return { kind: "here", isLost: false };
    if (!(await isReplicaGone(row.owner))) return { kind: "there", replica: row.owner };
    const taken = await db()
      .update(mcpSessions)
      .set({ owner: bootId() })
      .where(and(ofOwner, eq(mcpSessions.owner, row.owner)))
      .returning({ id: mcpSessions.id });
    if (taken.length > 0) return { kind: "here", isLost: true };
  }
  throw new AppError("unavailable", "The session of this conversation is moving between replicas. Send the call again.");
}

/** Returns the keys of the sessions that this replica has claimed at a server. */
export async function claimedKeys(mcpServerId: string): Promise<Set<string>> {
  const rows = await db().select({ key: mcpSessions.scopeKey }).from(mcpSessions).where(claimedHere(mcpServerId));
  return new Set(rows.map(({ key }) => key));
}

/** Gives up this replica's claim on a session. */
export async function releaseSession(mcpServerId: string, key: string): Promise<void> {
  await db()
    .delete(mcpSessions)
    .where(and(claimedHere(mcpServerId), eq(mcpSessions.scopeKey, key)));
}

const claimedHere = (mcpServerId: string) => and(eq(mcpSessions.mcpServerId, mcpServerId), eq(mcpSessions.owner, bootId()));
