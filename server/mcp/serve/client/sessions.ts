import "server-only";
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { McpLogLevel } from "@/contracts/mcp/mcp-contents";
import { mcpClientSessions } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { takeConversation } from "@/server/conversations/conversation-rate";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import type { ClientFacts, McpSession } from "./mcp-client";

/** Creates the id that the client sends: 256 random bits. */
export const newSessionToken = (): string => randomBytes(32).toString("base64url");

/** Stores a session. @throws AppError `too_many_requests` */
export async function openSession(actor: Actor, token: string, { name, opensUrls, answers }: ClientFacts): Promise<void> {
  takeConversation(`mcp ${actor.id}`, env().maxConversationsPerMinute);
  await db()
    .insert(mcpClientSessions)
    .values({
      workspaceId: actor.workspaceId,
      actorId: actor.id,
      tokenHash: sha256(token),
      clientName: name,
      opensUrls,
      answers: [...answers],
    });
}

/** Every request of a session reads it, so the query is prepared once. */
const sessionQuery = () =>
  processWide("query.findMcpSession", () => {
    const { tokenHash, workspaceId, actorId } = mcpClientSessions;
    const isOwn = [tokenHash, workspaceId, actorId].map((column) => eq(column, sql.placeholder(column.name)));
    return db()
      .select({
        ...getTableColumns(mcpClientSessions),
        wasQuiet: sql<boolean>`${mcpClientSessions.lastSeenAt} < now() - interval '1 minute'`,
      })
      .from(mcpClientSessions)
      .where(and(...isOwn))
      .prepare("find_mcp_session");
  });

/** Finds a session of this actor; null when it does not exist, has ended or belongs to another actor. */
export async function findSession(actor: Actor, token: string): Promise<McpSession | null> {
  const [row] = await sessionQuery().execute({ tokenHash: sha256(token), workspaceId: actor.workspaceId, actorId: actor.id });
  if (!row) return null;
  if (row.wasQuiet) {
    await db().update(mcpClientSessions).set({ lastSeenAt: sql`now()` }).where(eq(mcpClientSessions.id, row.id));
  }
  const { id, clientName, opensUrls, answers, logLevel, subscriptions, listedHash } = row;
  return { id, clientName, opensUrls, answers, logLevel, subscriptions, listedHash };
}

/** Stores which tool list the client was given, so that a later stream tells it of changes since then. */
export async function rememberListing(session: McpSession, listedHash: string): Promise<void> {
  if (session.listedHash === listedHash) return;
  await db().update(mcpClientSessions).set({ listedHash }).where(eq(mcpClientSessions.id, session.id));
}

/** Stores from which level on the client wants log messages. */
export async function rememberLogLevel(session: McpSession, logLevel: McpLogLevel): Promise<void> {
  await db().update(mcpClientSessions).set({ logLevel }).where(eq(mcpClientSessions.id, session.id));
}

const maxSubscriptions = 200;

/** Listeners to changed subscriptions, by session. Streams on other replicas look at the row from time to time. */
const subscribed = () => processWide("mcp.subscribed", () => new EventEmitter().setMaxListeners(0));

export function onSubscriptionsChanged(session: McpSession, listener: () => void): () => void {
  subscribed().on(session.id, listener);
  return () => subscribed().off(session.id, listener);
}

/** Stores that the client wants to hear of a resource, or no longer. @throws AppError `conflict` for too many */
export async function rememberSubscription({ id }: McpSession, uri: string, isWanted: boolean): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx.select().from(mcpClientSessions).where(eq(mcpClientSessions.id, id)).for("update");
    const others = (row?.subscriptions ?? []).filter((one) => one !== uri);
    if (isWanted && others.length >= maxSubscriptions)
      throw new AppError("conflict", `A session follows at most ${maxSubscriptions} resources. Unsubscribe from some.`);
    const subscriptions = isWanted ? [...others, uri] : others;
    await tx.update(mcpClientSessions).set({ subscriptions }).where(eq(mcpClientSessions.id, id));
  });
  subscribed().emit(id);
}

/** Reads the resources that a session follows now. */
export async function readSubscriptions({ id }: McpSession): Promise<string[]> {
  const [row] = await db().select().from(mcpClientSessions).where(eq(mcpClientSessions.id, id));
  return row?.subscriptions ?? [];
}

/** Ends a session. @returns false when this actor has no such session. */
export async function endSession(actor: Actor, token: string): Promise<boolean> {
  const ended = await db().delete(mcpClientSessions).where(ownedBy(actor, token)).returning({ id: mcpClientSessions.id });
  return ended.length > 0;
}

const ownedBy = (actor: Actor, token: string) =>
  and(
    eq(mcpClientSessions.tokenHash, sha256(token)),
    eq(mcpClientSessions.workspaceId, actor.workspaceId),
    eq(mcpClientSessions.actorId, actor.id),
  );
