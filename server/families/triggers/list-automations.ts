import "server-only";
import { asc, eq } from "drizzle-orm";
import type { Automation } from "@/contracts/automation/triggers";
import { agents, schedules, topics, topicWatches, triggers as triggerTable } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { triggers } from "./triggers";

const most = 500;

/** Lists what starts agents without a person; a bound key sees what starts its agent. */
export async function listAutomations(actor: Authorized<"turns:read">): Promise<{ items: Automation[] }> {
  const { workspaceId, agentId } = actor;
  const isSeen = (of: string | null) => agentId === null || of === agentId;
  const timed = await db()
    .select({ row: schedules, agent: agents.name })
    .from(schedules)
    .innerJoin(agents, eq(agents.id, schedules.agentId))
    .where(eq(schedules.workspaceId, workspaceId))
    .orderBy(asc(schedules.nextRunAt), asc(schedules.id))
    .limit(most);
  const watches = await db()
    .select({ row: topicWatches, agent: agents.name, topic: topics.name })
    .from(topicWatches)
    .innerJoin(agents, eq(agents.id, topicWatches.agentId))
    .innerJoin(topics, eq(topics.id, topicWatches.topicId))
    .where(eq(topicWatches.workspaceId, workspaceId))
    .orderBy(asc(topicWatches.id))
    .limit(most);
  const rows = await db()
    .select()
    .from(triggerTable)
    .where(eq(triggerTable.workspaceId, workspaceId))
    .orderBy(asc(triggerTable.id))
    .limit(most);
  const targets = new Map((await triggers.list({ actor, query: { limit: most } })).items.map(({ id, target }) => [id, target]));
  return {
    items: [
      ...timed
        .filter(({ row }) => isSeen(row.agentId))
        .map(({ row, agent }) => ({
          ...{ kind: "schedule" as const, id: row.id, name: row.name, target: agent, enabled: row.enabled },
          startsOn: timingWords(row.timing),
          nextRunAt: row.nextRunAt?.toISOString() ?? null,
          lastRunAt: row.lastRunAt?.toISOString() ?? null,
          lastError: row.pausedReason,
        })),
      ...watches
        .filter(({ row }) => isSeen(row.agentId))
        .map(({ row, agent, topic }) => ({
          ...{ kind: "watch" as const, id: row.id, name: row.name, target: agent, startsOn: topic, enabled: row.enabled, nextRunAt: null },
          lastRunAt: row.lastFiredAt?.toISOString() ?? null,
          lastError: row.lastError,
        })),
      ...rows
        .filter((row) => isSeen(row.agentId))
        .map(({ id, name, kind, enabled, lastFiredAt, lastError }) => ({
          ...{ kind: "trigger" as const, id, name, target: targets.get(id) ?? "", startsOn: kind, enabled, nextRunAt: null },
          lastRunAt: lastFiredAt?.toISOString() ?? null,
          lastError,
        })),
    ],
  };
}

function timingWords(timing: (typeof schedules.$inferSelect)["timing"]): string {
  if (timing.kind === "cron") return timing.expression;
  return timing.kind === "once" ? "once" : `every ${timing.everySeconds} s`;
}
