import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Hook } from "@/contracts/hooks/hooks";
import { hooks } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { presentHook } from "./present-hook";

const Cursor = z.tuple([z.number().int(), z.uuid()]);

/** Lists hooks in the order in which they run. */
export async function listHooks(
  actor: Authorized<"guard:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: Hook[]; nextCursor: string | null }> {
  const last = cursor === undefined ? null : decodeCursor(cursor, Cursor);
  const after = last ? sql`(${hooks.order}, ${hooks.id}) > (${last[0]}, ${last[1]})` : undefined;
  const found = await db()
    .select()
    .from(hooks)
    .where(and(eq(hooks.workspaceId, actor.workspaceId), after))
    .orderBy(asc(hooks.order), asc(hooks.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ order, id }) => [order, id]);
  return { items: rows.map((row) => presentHook(row, actor)), nextCursor };
}
