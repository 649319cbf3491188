import "server-only";
import { and, asc, eq, isNull, lt, ne, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { approvals, mcpPendingCalls, turns } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";

/** Computes the digest by which a client's repeated call is recognised. */
export function callDigest(name: string, args: JsonObject): string {
  return sha256(canonicalJson({ name, arguments: args }));
}

type Pending = { turnId: string; conversationId: string; callDigest: string; approvalId: string | null };

/** Notes a call that is answered before it has a result. */
export async function notePendingCall({ approvalId, ...call }: Pending): Promise<void> {
  await db()
    .insert(mcpPendingCalls)
    .values({ ...call, approvalId })
    .onConflictDoUpdate({ target: mcpPendingCalls.turnId, set: { approvalId } });
}

/** Calls of one key or user: several of them may use one conversation. */
const submittedBy = ({ id }: Actor) => sql`${turns.requestedBy} ->> 'id' = ${id}`;

/** Every call looks for an earlier one, so the query is prepared once: building its text costs more than the query. */
const pendingQuery = () =>
  processWide("query.findPendingCall", () => {
    const digest = sql.placeholder("digest");
    return db()
      .select({ turnId: mcpPendingCalls.turnId })
      .from(mcpPendingCalls)
      .innerJoin(turns, eq(turns.id, mcpPendingCalls.turnId))
      .where(
        and(
          eq(mcpPendingCalls.conversationId, sql.placeholder("conversationId")),
          sql`${turns.requestedBy} ->> 'id' = ${sql.placeholder("actorId")}`,
          sql`(${digest}::text is null or ${mcpPendingCalls.callDigest} = ${digest}::text)`,
          isNull(mcpPendingCalls.deliveredAt),
        ),
      )
      .orderBy(asc(mcpPendingCalls.turnId))
      .limit(1)
      .prepare("find_pending_call");
  });

/** Finds the turn of the actor's oldest call that still owes its result; with a digest, of that call. */
export async function findPendingCall({ id: actorId }: Actor, conversationId: string, digest?: string): Promise<string | null> {
  const [row] = await pendingQuery().execute({ conversationId, actorId, digest: digest ?? null });
  return row?.turnId ?? null;
}

/** Returns whether a turn ended more than a minute ago. */
export async function hasEndedEarlier(turnId: string): Promise<boolean> {
  const isEarlier = and(eq(turns.id, turnId), lt(turns.finishedAt, sql`now() - interval '1 minute'`));
  return (await db().$count(turns, isEarlier)) > 0;
}

/** Marks the result of a call as delivered, so that the same call runs anew next time. */
export async function markDelivered(turnId: string): Promise<void> {
  await db()
    .update(mcpPendingCalls)
    .set({ deliveredAt: sql`now()` })
    .where(and(eq(mcpPendingCalls.turnId, turnId), isNull(mcpPendingCalls.deliveredAt)));
}

/** Marks the result of a call as owed again. */
export async function markOwed(turnId: string): Promise<void> {
  await db().update(mcpPendingCalls).set({ deliveredAt: null }).where(eq(mcpPendingCalls.turnId, turnId));
}

/** Returns true when a client of this actor was sent to the page of this approval. */
export async function isAskedOfClient(actor: Actor, conversationId: string, approvalId: string): Promise<boolean> {
  const rows = await db()
    .select({ turnId: mcpPendingCalls.turnId })
    .from(mcpPendingCalls)
    .innerJoin(turns, eq(turns.id, mcpPendingCalls.turnId))
    .where(and(eq(mcpPendingCalls.conversationId, conversationId), eq(mcpPendingCalls.approvalId, approvalId), submittedBy(actor)))
    .limit(1);
  return rows.length > 0;
}

/** Lists the decided approvals of the actor's calls in a conversation that still owe their results. */
export async function listDecidedApprovals(actor: Actor, conversationId: string): Promise<string[]> {
  const isOwed = and(eq(mcpPendingCalls.conversationId, conversationId), isNull(mcpPendingCalls.deliveredAt), submittedBy(actor));
  const rows = await db()
    .select({ id: approvals.id })
    .from(mcpPendingCalls)
    .innerJoin(turns, eq(turns.id, mcpPendingCalls.turnId))
    .innerJoin(approvals, eq(approvals.id, mcpPendingCalls.approvalId))
    .where(and(isOwed, ne(approvals.status, "pending")))
    .orderBy(approvals.id);
  return rows.map(({ id }) => id);
}
