import "server-only";
import { and, desc, eq, inArray, max, sql } from "drizzle-orm";
import type { CodingConnection, CodingConnectionDraft } from "@/contracts/agents/coding-agents";
import { apiKeys, codingConnections, codingSessions } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";

type Row = typeof codingConnections.$inferSelect;

/** Most connections of one list. */
const maxListed = 500;

/** Notes that a client was connected on a machine. A second time renews the first. */
export async function noteConnection(actor: Authorized<"guard:ask">, draft: CodingConnectionDraft): Promise<CodingConnection> {
  const { client, version = null, host, user = null, mode } = draft;
  const told = { key: toActorRef(actor), version, userName: user, mode };
  const [row] = await db()
    .insert(codingConnections)
    .values({ workspaceId: actor.workspaceId, keyId: actor.id, client, host, ...told })
    .onConflictDoUpdate({
      target: [codingConnections.keyId, codingConnections.client, codingConnections.host],
      set: { ...told, connectedAt: sql`now()` },
    })
    .returning();
  if (!row) throw new Error("a connection was neither stored nor found");
  return presentConnection(row, { seenAt: (await lastSeen(actor.workspaceId)).get(keyOf(row)) ?? null, keyEnd: null });
}

/** Removes the connection of a client that has no hooks on a machine any more. */
export async function removeConnection(
  { id, workspaceId }: Authorized<"guard:ask">,
  { client, host }: Pick<Row, "client" | "host">,
): Promise<void> {
  const of = codingConnections;
  await db()
    .delete(of)
    .where(and(eq(of.workspaceId, workspaceId), eq(of.keyId, id), eq(of.client, client), eq(of.host, host)));
}

/** Lists the connected clients of the workspace, the newest first, with when each was last seen. */
export async function listConnections({ workspaceId }: Authorized<"turns:read">): Promise<{ items: CodingConnection[] }> {
  const [rows, seen] = await Promise.all([
    db()
      .select()
      .from(codingConnections)
      .where(eq(codingConnections.workspaceId, workspaceId))
      .orderBy(desc(codingConnections.connectedAt))
      .limit(maxListed),
    lastSeen(workspaceId),
  ]);
  const ends = await keyEnds(rows);
  const newest = new Map(rows.toReversed().map((row) => [machineOf(row), row.id]));
  const items = rows.map((row) => {
    // A connection that another key has renewed is history.
    const keyEnd = newest.get(machineOf(row)) === row.id ? (ends.get(row.keyId) ?? null) : null;
    return presentConnection(row, { seenAt: seen.get(keyOf(row)) ?? null, keyEnd });
  });
  return { items };
}

const machineOf = ({ client, host, userName }: Pick<Row, "client" | "host" | "userName">) => JSON.stringify([client, host, userName]);

/** Returns what ended each key that is no longer taken. */
async function keyEnds(rows: readonly Row[]): Promise<Map<string, KeyEnd>> {
  if (rows.length === 0) return new Map();
  const ids = [...new Set(rows.map(({ keyId }) => keyId))];
  const keys = await db().select().from(apiKeys).where(inArray(apiKeys.id, ids));
  const byId = new Map(keys.map((key) => [key.id, key]));
  const now = sharedNow();
  return new Map(
    ids.flatMap((id): [string, KeyEnd][] => {
      const key = byId.get(id);
      if (!key || key.revokedAt !== null) return [[id, "revoked"]];
      return key.expiresAt !== null && key.expiresAt <= now ? [[id, "expired"]] : [];
    }),
  );
}

const keyOf = ({ keyId, client, host }: Pick<Row, "keyId" | "client" | "host">) => JSON.stringify([keyId, client, host]);

async function lastSeen(workspaceId: string): Promise<Map<string, Date>> {
  const keyId = sql<string>`${codingSessions.key} ->> 'id'`;
  const { client, host } = codingSessions;
  const rows = await db()
    .select({ keyId, client, host, at: max(codingSessions.lastSeenAt) })
    .from(codingSessions)
    .where(and(eq(codingSessions.workspaceId, workspaceId), sql`${host} is not null`))
    .groupBy(keyId, client, host);
  return new Map(rows.flatMap(({ at, host, ...row }) => (at && host !== null ? [[keyOf({ ...row, host }), at] as const] : [])));
}

type KeyEnd = "revoked" | "expired";

const keyEndWords: Record<KeyEnd, string> = { revoked: "was revoked", expired: "has expired" };

function presentConnection(row: Row, { seenAt, keyEnd }: { seenAt: Date | null; keyEnd: KeyEnd | null }): CodingConnection {
  const { id, client, version, host, userName, mode, key } = row;
  return {
    ...{ id, client, version, host, user: userName, mode, key },
    connectedAt: row.connectedAt.toISOString(),
    lastSeenAt: seenAt?.toISOString() ?? null,
    problem: keyEnd === null ? (seenAt === null ? (whyUnseen[client] ?? unseen) : null) : endedKey(keyEnd),
  };
}

const endedKey = (end: KeyEnd): string =>
  `Its key ${keyEndWords[end]}, so every call of this client is blocked there. Connect the client again with a new key, or take its hooks out with --undo.`;

const unseen =
  "Connected, and never seen since: its calls are not guarded. Start the client anew, and look whether it lists the hooks of Handrail.";

const whyUnseen: Partial<Record<Row["client"], string>> = {
  codex:
    "Connected, and never seen since: Codex ignores hooks that nobody trusts, without a word. Start codex, type /hooks and trust the hooks of Handrail.",
};
