import "server-only";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { mcpPendingCalls } from "@/db/schema";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";

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

/** Finds the turn of the oldest call that still owes its result; with a digest, of that call. */
export async function findPendingCall(conversationId: string, digest?: string): Promise<string | null> {
  const [row] = await db()
    .select({ turnId: mcpPendingCalls.turnId })
    .from(mcpPendingCalls)
    .where(
      and(
        eq(mcpPendingCalls.conversationId, conversationId),
        digest === undefined ? undefined : eq(mcpPendingCalls.callDigest, digest),
        isNull(mcpPendingCalls.deliveredAt),
      ),
    )
    .orderBy(asc(mcpPendingCalls.turnId))
    .limit(1);
  return row?.turnId ?? null;
}

/** Marks the result of a call as delivered, so that the same call runs anew next time. */
export async function markDelivered(turnId: string): Promise<void> {
  await db()
    .update(mcpPendingCalls)
    .set({ deliveredAt: sql`now()` })
    .where(and(eq(mcpPendingCalls.turnId, turnId), isNull(mcpPendingCalls.deliveredAt)));
}

/** Returns true when a client was sent to the page of this approval. */
export async function isAskedOfClient(conversationId: string, approvalId: string): Promise<boolean> {
  const rows = await db()
    .select({ turnId: mcpPendingCalls.turnId })
    .from(mcpPendingCalls)
    .where(and(eq(mcpPendingCalls.conversationId, conversationId), eq(mcpPendingCalls.approvalId, approvalId)))
    .limit(1);
  return rows.length > 0;
}
