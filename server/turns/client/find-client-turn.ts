import "server-only";
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { toolCalls, turns } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { storedTurn } from "../live-turn";
import { loadTurn } from "../read/load-turn";
import type { ClientCall } from "./submit-client-call";

type Found = { turnId: string; callId: string; conversationId: string };

/** Finds the turn of a client's call, by its own id or by ours. @returns null when there is none in the actor's workspace */
export async function findClientTurn(
  actor: Actor,
  by: { callId: string } | { conversationId: string; runtimeId: string } | { conversationId: string; digest: string },
): Promise<Found | null> {
  const open = sql`case when ${turns.status} = 'suspended' then 0 else 1 end`;
  const [found] = await db()
    .select({ turnId: turns.id, callId: toolCalls.id, conversationId: turns.conversationId })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(
      and(
        eq(turns.workspaceId, actor.workspaceId),
        isNotNull(turns.machine),
        // A key reaches only what it asked about itself.
        sql`${turns.requestedBy} ->> 'id' = ${actor.id}`,
        "callId" in by
          ? eq(toolCalls.id, by.callId)
          : and(
              eq(turns.conversationId, by.conversationId),
              "runtimeId" in by ? eq(turns.idempotencyKey, by.runtimeId) : eq(turns.requestDigest, by.digest),
              "digest" in by ? inArray(toolCalls.status, ["awaiting_approval", "released"]) : undefined,
            ),
      ),
    )
    // The oldest open call first, because clients without ids report in the order of their calls.
    .orderBy(open, turns.id)
    .limit(1);
  return found ?? null;
}

/** Calls of one conversation that are looked through for one that a person changed. */
const maxReleased = 50;

/**
 * Finds a released call that a person or a hook changed, by what its client says that it ran. A client without ids of calls
 * reports the changed arguments, and may add members of its own.
 */
export async function findChangedTurn(
  actor: Actor,
  conversationId: string,
  { name, arguments: ran }: Pick<ClientCall, "name" | "arguments">,
): Promise<Found | null> {
  const released = await db()
    .select({ turnId: turns.id, callId: toolCalls.id, conversationId: turns.conversationId })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(
      and(
        eq(turns.conversationId, conversationId),
        isNotNull(turns.machine),
        eq(turns.status, "suspended"),
        sql`${turns.requestedBy} ->> 'id' = ${actor.id}`,
        eq(toolCalls.status, "released"),
        eq(toolCalls.name, name),
      ),
    )
    .orderBy(turns.id)
    .limit(maxReleased);
  for (const found of released) {
    const loaded = await loadTurn(found.turnId);
    const [call] = loaded ? storedTurn(loaded.turn, loaded.calls).calls : [];
    if (!call || (call.edited === null && call.hooks === null)) continue;
    const isSame = Object.entries(call.arguments).every(([key, value]) => canonicalJson(ran[key] ?? null) === canonicalJson(value));
    if (isSame) return found;
  }
  return null;
}
