import "server-only";
import { setTimeout } from "node:timers/promises";
import { and, count as countRows, eq, gte, isNotNull } from "drizzle-orm";
import { toolCalls } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { idAt } from "@/server/platform/id-at";
import { processWide } from "@/server/platform/process-wide";

export type RuleHits = ReadonlyMap<string, number>;

const days = 30;
const dayMs = 86_400_000;
/** A count stays fresh for this many times the time that it took, so that counting takes at most 2% of one connection. */
const freshnessFactor = 50;
const maxFreshMs = 120_000;
/** A list of rules waits no longer: a million calls take a second or two to count. */
const patienceMs = 300;

type Counted = { hits: RuleHits | null; running: Promise<RuleHits> | null; freshUntil: number };

const memory = () => processWide("policy.ruleHits", () => new Map<string, Counted>());

/**
 * Returns how many calls of the last 30 days each rule decided; rules without a call are absent. While a new count takes
 * longer, the one before is returned; null when there is none yet.
 */
export async function loadRuleHits(workspaceId: string): Promise<RuleHits | null> {
  const known = memory().get(workspaceId) ?? { hits: null, running: null, freshUntil: 0 };
  memory().set(workspaceId, known);
  if (known.hits && performance.now() < known.freshUntil) return known.hits;
  if (!known.running) {
    known.running = count(workspaceId, known);
    // The list may have been answered before a count fails; the next list counts again.
    known.running.catch(() => {});
  }
  return Promise.race([known.running, setTimeout(patienceMs, known.hits, { ref: false })]);
}

async function count(workspaceId: string, known: Counted): Promise<RuleHits> {
  const startedAt = performance.now();
  try {
    known.hits = await countRuleHits(workspaceId);
    const endedAt = performance.now();
    known.freshUntil = endedAt + Math.min((endedAt - startedAt) * freshnessFactor, maxFreshMs);
    return known.hits;
  } finally {
    known.running = null;
  }
}

/** Counts in one pass over a covering index, because the row of a call is large. */
export async function countRuleHits(workspaceId: string): Promise<RuleHits> {
  const { ruleId } = toolCalls;
  const rows = await db()
    .select({ ruleId, hits: countRows() })
    .from(toolCalls)
    .where(and(eq(toolCalls.workspaceId, workspaceId), gte(toolCalls.id, idAt(sharedNowMs() - days * dayMs, "0")), isNotNull(ruleId)))
    .groupBy(ruleId);
  return new Map(rows.map((row) => [String(row.ruleId), row.hits]));
}
