import "server-only";
import { eq } from "drizzle-orm";
import { codingSessions } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { cancelClientCall } from "@/server/turns/client/end-client-call";

type Question = { id: string; conversationId: string };

/** Time in which a hook program whose connection broke asks again, with a margin: it does so after 26 seconds at most. */
const goneAfterMs = 60_000;

/**
 * Withdraws the question of a client that was killed with its hook, as Codex does at an interrupt. The hook's connection broke, and
 * nothing of its session reached any replica since.
 */
export async function withdrawWhenGone(actor: Authorized<"guard:ask">, turn: Question, afterMs = goneAfterMs): Promise<void> {
  const before = await lastSeen(turn);
  setTimeout(() => {
    withdrawUnseen(actor, turn, before).catch((error) =>
      log().warn({ err: error, turnId: turn.id }, "the question of a client that is gone was not withdrawn"),
    );
  }, afterMs).unref();
}

async function withdrawUnseen(actor: Authorized<"guard:ask">, turn: Question, before: number | null): Promise<void> {
  if ((await lastSeen(turn)) === before) await cancelClientCall(actor, turn.id);
}

async function lastSeen({ conversationId }: Question): Promise<number | null> {
  const [row] = await db()
    .select({ at: codingSessions.lastSeenAt })
    .from(codingSessions)
    .where(eq(codingSessions.conversationId, conversationId));
  return row?.at.getTime() ?? null;
}
