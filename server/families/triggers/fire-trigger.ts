import "server-only";
import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { agents, triggerFirings, triggers } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import type { Attempt } from "@/server/jobs/run-queue";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { enqueue } from "@/server/platform/queue";
import { hasModels } from "@/server/runs/run-models";
import { isRefusedActor, mayStartLater, startRunFor } from "@/server/runs/starts/start-run-for";
import { openTriggered } from "@/server/runs/starts/trigger";
import { startWorkflowFor } from "@/server/runs/starts/workflow-starts";
import { triggerQueue } from "./trigger-queue";
import type { TriggerRow } from "./triggers";

/** Triggers that may lead to one another; a longer chain is cut. */
export const deepest = 5;
/** Events that start one trigger within a minute. */
export const maxPerMinute = 10;
/** Seconds for which an equal payload starts a trigger only once. */
export const dedupSeconds = 60;

type Firing = typeof triggerFirings.$inferSelect;

/** Starts what a trigger names. The firing's row and the key of the run make it happen once, however often the work is repeated. */
export async function fireTrigger({ firingId }: { firingId: string }, { number }: Pick<Attempt, "number">): Promise<void> {
  const taken = await db().transaction((tx) => takeFiring(tx, firingId));
  if (!taken) return;
  const { trigger, firing } = taken;
  try {
    if (trigger.workflowId) await startWorkflow(trigger, firing);
    else await startAgent(trigger, firing);
  } catch (error) {
    if (mayStartLater(error) && number < triggerQueue.retry.attempts) throw error;
    await fail(trigger, firing, isAppError(error) ? error.message : brokenInside, isRefusedActor(error));
  }
}

const brokenInside = "It could not start because of a failure inside Handrail. The server's log has the reason.";

/** Decides once whether the trigger starts. Under the trigger's lock, so that two events of one moment count each other. */
async function takeFiring(tx: Db, firingId: string): Promise<{ trigger: TriggerRow; firing: Firing } | null> {
  const [of] = await tx.select({ triggerId: triggerFirings.triggerId }).from(triggerFirings).where(eq(triggerFirings.id, firingId));
  const [trigger] = of ? await tx.select().from(triggers).where(eq(triggers.id, of.triggerId)).for("update") : [];
  const [firing] = await tx.select().from(triggerFirings).where(eq(triggerFirings.id, firingId));
  if (!trigger || !firing) return null;
  const isBegun = firing.outcome === "started" && !firing.runId && !firing.workflowRunId;
  if (firing.outcome !== "waiting") return isBegun ? { trigger, firing } : null;
  const reason = await refusalOf(tx, trigger, firing);
  if (reason !== null) {
    await tx.update(triggerFirings).set({ outcome: "skipped", reason }).where(eq(triggerFirings.id, firingId));
    await tx.update(triggers).set({ lastError: reason }).where(eq(triggers.id, trigger.id));
    return null;
  }
  const conversationId = trigger.agentId ? await openConversation(tx, trigger, firing) : null;
  const [started] = await tx
    .update(triggerFirings)
    .set({ outcome: "started", conversationId })
    .where(eq(triggerFirings.id, firingId))
    .returning();
  await tx.update(triggers).set({ lastFiredAt: sql`now()`, lastError: null }).where(eq(triggers.id, trigger.id));
  return started ? { trigger, firing: started } : null;
}

async function refusalOf(tx: Db, { id, enabled }: TriggerRow, { depth, digest }: Firing): Promise<string | null> {
  if (!enabled) return "switched off";
  if (depth > deepest) return `too deep: ${deepest} triggers have led to one another`;
  const begun = (seconds: number) =>
    and(
      eq(triggerFirings.triggerId, id),
      inArray(triggerFirings.outcome, ["started", "failed"]),
      gt(triggerFirings.createdAt, sql`now() - make_interval(secs => ${seconds})`),
    );
  if ((await tx.$count(triggerFirings, and(begun(dedupSeconds), eq(triggerFirings.digest, digest)))) > 0) return "duplicate";
  return (await tx.$count(triggerFirings, begun(60))) >= maxPerMinute ? "rate-limited" : null;
}

async function openConversation(tx: Db, trigger: TriggerRow, { id, text, depth }: Firing): Promise<string> {
  const { workspaceId, agentId, name, kind, createdBy } = trigger;
  const [agent] = await tx
    .select({ name: agents.name })
    .from(agents)
    .where(eq(agents.id, agentId ?? ""));
  const about = { trigger: name, triggerId: trigger.id, firingId: id, kind, text, depth };
  return openTriggered(tx, {
    workspaceId,
    agent: { id: agentId ?? "", name: agent?.name ?? null },
    origin: "trigger",
    interactive: false,
    metadata: { trigger: about },
    createdBy,
    by: systemActor,
    noted: { trigger: name },
    fired: { event: "trigger.fired", subject: trigger.id, about },
  });
}

async function startAgent({ workspaceId, agentId, createdBy }: TriggerRow, { id, conversationId, text }: Firing): Promise<void> {
  if (!agentId || !conversationId) return;
  const [agent] = await db().select({ workspaceId: agents.workspaceId, models: agents.models }).from(agents).where(eq(agents.id, agentId));
  // A runtime of its own answers the conversation of an agent without a model; it hears of it by `trigger.fired`.
  if (!agent || !(await hasModels(db(), agent))) return;
  const run = await startRunFor(createdBy, { workspaceId, agentId, conversationId, message: text, idempotencyKey: `trigger:${id}` });
  await db().update(triggerFirings).set({ runId: run.id }).where(eq(triggerFirings.id, id));
}

async function startWorkflow({ workspaceId, workflowId, createdBy }: TriggerRow, { id, text }: Firing): Promise<void> {
  if (!workflowId) return;
  await actorFromRef(createdBy, { workspaceId, requestId: id });
  await db().transaction(async (tx) => {
    const { workflowRunId } = await startWorkflowFor(tx, {
      workspaceId,
      workflowId,
      input: text,
      idempotencyKey: `trigger:${id}`,
      by: createdBy,
    });
    await tx.update(triggerFirings).set({ workflowRunId }).where(eq(triggerFirings.id, id));
  });
}

/** A trigger whose maker may not act any more is switched off. */
async function fail({ id, workspaceId, name }: TriggerRow, firing: Firing, reason: string, switchesOff: boolean): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.update(triggerFirings).set({ outcome: "failed", reason }).where(eq(triggerFirings.id, firing.id));
    await tx
      .update(triggers)
      .set({ lastError: reason, ...(switchesOff ? { enabled: false, version: sql`${triggers.version} + 1` } : {}) })
      .where(eq(triggers.id, id));
    const data = { trigger: name, firingId: firing.id, reason, switchedOff: switchesOff };
    await record(tx, { workspaceId, event: "trigger.failed", actor: systemActor, subject: id, data });
  });
}

/** Queues firings whose work item was lost. */
export async function findLostFirings(): Promise<void> {
  const isLost = and(eq(triggerFirings.outcome, "waiting"), lt(triggerFirings.createdAt, sql`now() - interval '1 minute'`));
  const lost = await db().select().from(triggerFirings).where(isLost).limit(500);
  const items = lost.map(({ id, workspaceId }) => ({ workspaceId, input: { firingId: id } }));
  await enqueue(db(), triggerQueue, items);
}

const keptDays = 30;

export async function removeOldFirings(): Promise<void> {
  await db()
    .delete(triggerFirings)
    .where(lt(triggerFirings.createdAt, sql`now() - make_interval(days => ${keptDays})`));
}
