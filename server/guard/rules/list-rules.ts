import "server-only";
import { and, asc, desc, eq, gt, lt, or } from "drizzle-orm";
import { z } from "zod";
import type { GuardRule } from "@/contracts/guard";
import { guardRules } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { decodeCursor, pageOf } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { inTheOrderTried } from "../compile-policy";
import { policyFile } from "../policy-file/policy-file";
import { presentRule } from "./present-rule";

const RuleCursor = z.tuple([z.int32(), z.uuid()]);
type Place = Pick<GuardRule, "priority" | "id">;

/** Rules of the actor's workspace and of the policy file, in the order in which they are tried. */
export async function listRules(
  actor: Holder<"guard:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: GuardRule[]; nextCursor: string | null; total: number }> {
  const own = eq(guardRules.workspaceId, actor.workspaceId);
  const last = cursor === undefined ? null : placeOf(cursor);
  const [found, count] = await Promise.all([
    db()
      .select()
      .from(guardRules)
      .where(and(own, last ? after(last) : undefined))
      .orderBy(desc(guardRules.priority), asc(guardRules.id))
      .limit(limit + 1),
    db().$count(guardRules, own),
  ]);
  const ofFile = policyFile()?.file.rules ?? [];
  const others = ofFile.filter((rule) => last === null || inTheOrderTried(last, rule) < 0);
  const merged = [...found.map(presentRule), ...others].sort(inTheOrderTried).slice(0, limit + 1);
  const { rows, nextCursor } = pageOf(merged, limit, ({ priority, id }) => [priority, id]);
  return { items: rows, nextCursor, total: count + ofFile.length };
}

function placeOf(cursor: string): Place {
  const [priority, id] = decodeCursor(cursor, RuleCursor);
  return { priority, id };
}

function after({ priority, id }: Place) {
  return or(lt(guardRules.priority, priority), and(eq(guardRules.priority, priority), gt(guardRules.id, id)));
}
