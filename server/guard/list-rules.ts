import "server-only";
import { and, asc, desc, eq, gt, lt, or } from "drizzle-orm";
import { z } from "zod";
import type { GuardRule } from "@/contracts/guard";
import { guardRules } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { decodeCursor, pageOf } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { presentRule } from "./present-rule";

const RuleCursor = z.tuple([z.int32(), z.uuid()]);

/** Rules of the actor's workspace in the order in which they are tried. */
export async function listRules(
  actor: Holder<"guard:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: GuardRule[]; nextCursor: string | null; total: number }> {
  const own = eq(guardRules.workspaceId, actor.workspaceId);
  const [found, total] = await Promise.all([
    db()
      .select()
      .from(guardRules)
      .where(and(own, cursor === undefined ? undefined : after(cursor)))
      .orderBy(desc(guardRules.priority), asc(guardRules.id))
      .limit(limit + 1),
    db().$count(guardRules, own),
  ]);
  const { rows, nextCursor } = pageOf(found, limit, ({ priority, id }) => [priority, id]);
  return { items: rows.map(presentRule), nextCursor, total };
}

function after(cursor: string) {
  const [priority, id] = decodeCursor(cursor, RuleCursor);
  return or(lt(guardRules.priority, priority), and(eq(guardRules.priority, priority), gt(guardRules.id, id)));
}
