import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { knowledgeBases } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

export type BaseRow = typeof knowledgeBases.$inferSelect;

export const missingBase = () =>
  new AppError("not_found", "This knowledge base does not exist. It may have been removed; list the knowledge bases.");

/** Condition for the bases that an actor may see: a bound key sees those of its agent. */
export const isSeen = (actor: Actor) => (actor.agentId === null ? undefined : isBoundTo(actor.agentId));

/** Condition for the bases that an agent may use. */
export const isBoundTo = (agentId: string) => sql`${knowledgeBases.agents} @> ${JSON.stringify([{ agentId }])}::jsonb`;

/** @throws AppError `not_found`, also for a base of another workspace or agent */
export async function findBase(actor: Actor, id: string, tx: Db = db()): Promise<BaseRow> {
  const [row] = await tx
    .select()
    .from(knowledgeBases)
    .where(and(eq(knowledgeBases.workspaceId, actor.workspaceId), eq(knowledgeBases.id, id), isSeen(actor)));
  if (!row) throw missingBase();
  return row;
}

/** Reads a base for work of its own. @throws AppError `not_found` */
export async function readBase(tx: Db, id: string): Promise<BaseRow> {
  const [row] = await tx.select().from(knowledgeBases).where(eq(knowledgeBases.id, id));
  if (!row) throw missingBase();
  return row;
}

/** Locks a base, so that changes of its pages and their links run one after another. @throws AppError `not_found` */
export async function lockBase(tx: Db, id: string): Promise<BaseRow> {
  const [row] = await tx.select().from(knowledgeBases).where(eq(knowledgeBases.id, id)).for("update");
  if (!row) throw missingBase();
  return row;
}
