import "server-only";
import { and, desc, eq, gte, sql } from "drizzle-orm";
import type { AgentUsage } from "@/contracts/runs/runs";
import { runs } from "@/db/schema";
import { findAgent } from "@/server/agents/find-agent";
import type { Authorized } from "@/server/auth/actor";
import { maySee } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

const none = { runs: 0, steps: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0, unpricedRuns: 0, estimatedRuns: 0 };

/**
 * Sums the usage of an agent's runs by the UTC day on which they began. Runs that have not ended count with what they have used.
 * @throws AppError `not_found`
 */
export async function getAgentUsage(actor: Authorized<"turns:read">, agentId: string, days: number): Promise<AgentUsage> {
  await findAgent(db(), actor.workspaceId, agentId);
  if (!maySee(actor, { agentId }))
    throw new AppError("not_found", "This key belongs to another agent. Ask for the usage of its own agent.");
  const day = sql<string>`to_char(${runs.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  const sum = (column: typeof runs.steps | typeof runs.inputTokens | typeof runs.costUsd) => sql<number>`sum(${column})`.mapWith(Number);
  const found = await db()
    .select({
      day,
      runs: sql<number>`count(*)`.mapWith(Number),
      steps: sum(runs.steps),
      inputTokens: sum(runs.inputTokens),
      cachedInputTokens: sql<number>`sum(${runs.cachedInputTokens})`.mapWith(Number),
      outputTokens: sql<number>`sum(${runs.outputTokens})`.mapWith(Number),
      costUsd: sum(runs.costUsd),
      unpricedRuns: sql<number>`count(*) filter (where not ${runs.isCostKnown})`.mapWith(Number),
      estimatedRuns: sql<number>`count(*) filter (where ${runs.isUsageEstimated})`.mapWith(Number),
    })
    .from(runs)
    .where(
      and(
        eq(runs.workspaceId, actor.workspaceId),
        eq(runs.agentId, agentId),
        gte(runs.createdAt, sql`(date_trunc('day', now() at time zone 'UTC') - make_interval(days => ${days - 1})) at time zone 'UTC'`),
      ),
    )
    .groupBy(day)
    .orderBy(desc(day));
  const total = found.reduce(
    (all, one) => ({
      runs: all.runs + one.runs,
      steps: all.steps + one.steps,
      inputTokens: all.inputTokens + one.inputTokens,
      cachedInputTokens: all.cachedInputTokens + one.cachedInputTokens,
      outputTokens: all.outputTokens + one.outputTokens,
      costUsd: all.costUsd + one.costUsd,
      unpricedRuns: all.unpricedRuns + one.unpricedRuns,
      estimatedRuns: all.estimatedRuns + one.estimatedRuns,
    }),
    none,
  );
  return { days: found, total };
}
