import "server-only";
import { and, desc, eq, max, sql } from "drizzle-orm";
import type { CodingConnection, CodingConnectionDraft } from "@/contracts/coding-agents";
import { codingConnections, codingSessions } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";

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
  return presentConnection(row, (await lastSeen(actor.workspaceId)).get(keyOf(row)) ?? null);
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
  return { items: rows.map((row) => presentConnection(row, seen.get(keyOf(row)) ?? null)) };
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

function presentConnection(row: Row, seenAt: Date | null): CodingConnection {
  const { id, client, version, host, userName, mode, key } = row;
  return {
    ...{ id, client, version, host, user: userName, mode, key },
    connectedAt: row.connectedAt.toISOString(),
    lastSeenAt: seenAt?.toISOString() ?? null,
    problem: seenAt === null ? (whyUnseen[client] ?? unseen) : null,
  };
}

const unseen =
  "Connected, and never seen since: its calls are not guarded. Start the client anew, and look whether it lists the hooks of Handrail.";

const whyUnseen: Partial<Record<Row["client"], string>> = {
  codex:
    "Connected, and never seen since: Codex ignores hooks that nobody trusts, without a word. Start codex, type /hooks and trust the hooks of Handrail.",
};
