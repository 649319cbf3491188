import "server-only";
import { eq } from "drizzle-orm";
import { turns } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { requireTurn } from "@/server/turns/read/load-turn";

/**
 * Checks that this key or user submitted a turn. Seeing the conversation is not enough, because keys of different people
 * share an agent.
 * @throws AppError `not_found`
 */
export async function requireOwnTurn(actor: Actor, turnId: string): Promise<void> {
  await requireTurn(actor, turnId);
  const [row] = await db().select({ requestedBy: turns.requestedBy }).from(turns).where(eq(turns.id, turnId));
  if (row?.requestedBy.id !== actor.id) throw new AppError("not_found", "This turn does not exist, or another key submitted it.");
}
