import "server-only";
import { and, asc, desc, eq, gt, lt, or } from "drizzle-orm";
import { z } from "zod";
import type { GuardRule, ListedRule } from "@/contracts/guard/guard";
import { guardRules } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { compareRuleOrder } from "@/server/guard/matching/compile-rule";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { policyFile } from "../policy-file/policy-file";
import { presentListedRules } from "./present-listed-rules";
import { presentRule } from "./present-rule";

const RuleCursor = z.tuple([z.int32(), z.uuid()]);
type Place = Pick<GuardRule, "priority" | "id">;

/** Lists the rules of the actor's workspace and of the policy file, in the order in which they are tried. */
export async function listRules(
  actor: Authorized<"guard:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: ListedRule[]; nextCursor: string | null; total: number }> {
  const own = eq(guardRules.workspaceId, actor.workspaceId);
  const last = cursor === undefined ? null : ruleCursor(cursor);
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
  const others = ofFile.filter((rule) => last === null || compareRuleOrder(last, rule) < 0);
  const merged = [...found.map(presentRule), ...others].sort(compareRuleOrder).slice(0, limit + 1);
  const { rows, nextCursor } = toPage(merged, limit, ({ priority, id }) => [priority, id]);
  return { items: await presentListedRules(actor.workspaceId, rows), nextCursor, total: count + ofFile.length };
}

function ruleCursor(cursor: string): Place {
  const [priority, id] = decodeCursor(cursor, RuleCursor);
  return { priority, id };
}

function after({ priority, id }: Place) {
  return or(lt(guardRules.priority, priority), and(eq(guardRules.priority, priority), gt(guardRules.id, id)));
}
