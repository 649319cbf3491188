import "server-only";
import { and, count, eq, gte, isNotNull } from "drizzle-orm";
import { toolCalls } from "@/db/schema";
import { db } from "@/server/platform/database";
import { idAt } from "@/server/platform/id-at";
import { processWide } from "@/server/platform/process-wide";
import { sharedNowMs } from "@/server/platform/shared-clock";

export type RuleHits = ReadonlyMap<string, number>;

const days = 30;
const dayMs = 86_400_000;
/** A count stays fresh for this many times the time that it took, so that counting takes at most 2% of one connection. */
const freshnessFactor = 50;
const longestFreshMs = 120_000;

type Counted = { hits: Promise<RuleHits>; freshUntil: number };

const memory = () => processWide("policy.ruleHits", () => new Map<string, Counted>());

/** Returns how many calls of the last 30 days each rule decided; rules without a call are absent. */
export function loadRuleHits(workspaceId: string): Promise<RuleHits> {
  const known = memory().get(workspaceId);
  if (known && performance.now() < known.freshUntil) return known.hits;
  const startedAt = performance.now();
  const counted: Counted = { hits: countRuleHits(workspaceId), freshUntil: Number.POSITIVE_INFINITY };
  memory().set(workspaceId, counted);
  counted.hits.then(
    () => {
      const endedAt = performance.now();
      counted.freshUntil = endedAt + Math.min((endedAt - startedAt) * freshnessFactor, longestFreshMs);
    },
    () => memory().delete(workspaceId),
  );
  return counted.hits;
}

/** Counts in one pass over a covering index, because the row of a call is large. */
export async function countRuleHits(workspaceId: string): Promise<RuleHits> {
  const { ruleId } = toolCalls;
  const rows = await db()
    .select({ ruleId, hits: count() })
    .from(toolCalls)
    .where(
      and(eq(toolCalls.workspaceId, workspaceId), gte(toolCalls.id, idAt(sharedNowMs() - days * dayMs, "0")), isNotNull(ruleId)),
    )
    .groupBy(ruleId);
  return new Map(rows.map((row) => [String(row.ruleId), row.hits]));
}
