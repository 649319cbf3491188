import "server-only";
import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { agents, topicDeliveries, topicMessages, topics, topicWatches } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import type { Attempt } from "@/server/jobs/run-queue";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { publishEvents } from "@/server/platform/extension-points/outbox";
import { hasModels } from "@/server/runs/run-models";
import { isRefusedActor, mayStartLater, startRunFor } from "@/server/runs/starts/start-run-for";
import { openTriggered } from "@/server/runs/starts/trigger";
import { deliveryQueue } from "./delivery-queue";
import { fillPrompt } from "./fill-prompt";

/** Messages that may lead to one another; a longer chain is cut. */
export const deepest = 5;
/** Messages that start one watch within a minute. */
export const maxPerMinute = 10;
/** Seconds for which an equal message of the same sender starts a watch only once. */
export const dedupSeconds = 60;

type Input = { messageId: string; watchId: string };
type Delivery = typeof topicDeliveries.$inferSelect;

/**
 * Delivers a message to a watch: a conversation of the agent, and a run in it when the agent has a model. The delivery's row
 * and the idempotency key of the run make it happen once, however often the work is repeated.
 */
export async function deliverMessage(input: Input, { number }: Pick<Attempt, "number">): Promise<void> {
  const delivery = await db().transaction((tx) => takeDelivery(tx, input));
  const { id, conversationId, outcome, runId } = delivery ?? {};
  if (!id || !conversationId || outcome !== "started" || runId) return;
  const found = await load(db(), input);
  if (!found) return;
  const { watch } = found;
  const { workspaceId, agentId } = watch;
  try {
    const work = { workspaceId, agentId, conversationId, message: promptOf(found), idempotencyKey: `channel:${id}` };
    const run = await startRunFor(watch.createdBy, work);
    await db().update(topicDeliveries).set({ runId: run.id }).where(eq(topicDeliveries.id, id));
  } catch (error) {
    if (mayStartLater(error) && number < deliveryQueue.retry.attempts) throw error;
    await fail(found, id, isAppError(error) ? error.message : brokenInside, isRefusedActor(error));
  }
}

const brokenInside =
  "The agent could not start because of a failure inside Handrail. The server's log has the reason; send the message again.";

/** Decides once what becomes of the message. Under the watch's lock, so that two messages of one moment count each other. */
async function takeDelivery(tx: Db, { messageId, watchId }: Input): Promise<Delivery | null> {
  const [locked] = await tx.select({ id: topicWatches.id }).from(topicWatches).where(eq(topicWatches.id, watchId)).for("update");
  if (!locked) return null;
  const isIt = and(eq(topicDeliveries.watchId, watchId), eq(topicDeliveries.messageId, messageId));
  const [known] = await tx.select().from(topicDeliveries).where(isIt);
  if (known) return known;
  const found = await load(tx, { messageId, watchId });
  if (!found) return null;
  const reason = await refusalOf(tx, found);
  if (reason === null) return open(tx, found);
  await tx.update(topicWatches).set({ lastError: reason }).where(eq(topicWatches.id, watchId));
  return insertDelivery(tx, { watchId, messageId, outcome: "skipped", reason });
}

type Found = NonNullable<Awaited<ReturnType<typeof load>>>;

async function load(tx: Db, { messageId, watchId }: Input) {
  const [found] = await tx
    .select({
      watch: topicWatches,
      message: topicMessages,
      topic: topics.name,
      agent: { id: agents.id, name: agents.name, workspaceId: agents.workspaceId, models: agents.models },
    })
    .from(topicWatches)
    .innerJoin(agents, eq(agents.id, topicWatches.agentId))
    .innerJoin(topics, eq(topics.id, topicWatches.topicId))
    .innerJoin(topicMessages, and(eq(topicMessages.topicId, topics.id), eq(topicMessages.id, messageId)))
    .where(eq(topicWatches.id, watchId));
  return found;
}

/** Returns why the message starts nothing; null when it may start the agent. */
async function refusalOf(tx: Db, { watch, message }: Found): Promise<string | null> {
  if (!watch.enabled) return "switched off";
  if (message.depth > deepest) return `too deep: ${deepest} messages have led to one another`;
  const begun = (seconds: number) =>
    and(
      eq(topicDeliveries.watchId, watch.id),
      inArray(topicDeliveries.outcome, ["started", "opened"]),
      gt(topicDeliveries.createdAt, sql`now() - make_interval(secs => ${seconds})`),
    );
  const isSame = and(eq(topicMessages.text, message.text), eq(topicMessages.sender, message.sender));
  const [twin] = await tx
    .select({ id: topicDeliveries.id })
    .from(topicDeliveries)
    .innerJoin(topicMessages, eq(topicMessages.id, topicDeliveries.messageId))
    .where(and(begun(dedupSeconds), isSame))
    .limit(1);
  if (twin) return "duplicate";
  return (await tx.$count(topicDeliveries, begun(60))) >= maxPerMinute ? "rate-limited" : null;
}

async function open(tx: Db, found: Found): Promise<Delivery> {
  const { watch, message, topic, agent } = found;
  const { workspaceId } = watch;
  const startsRun = await hasModels(tx, agent);
  const about: JsonObject = {
    ...{ watch: watch.name, watchId: watch.id, topic, messageId: message.id, sender: message.sender, depth: message.depth },
    ...{ text: promptOf(found), sentIn: message.conversationId, startsRun },
  };
  const conversationId = await openTriggered(tx, {
    workspaceId,
    agent,
    origin: "delegate",
    interactive: false,
    metadata: { topicWatch: about },
    createdBy: watch.createdBy,
    by: systemActor,
    noted: { topic },
    fired: { event: "topic_watch.fired", subject: watch.id, about },
  });
  const earlier = { ...about, channel: topic, conversationId, agentId: agent.id, agent: agent.name };
  await publishEvents(tx, [{ workspaceId, event: "channel_watch.fired", payload: earlier }]);
  await tx.update(topicWatches).set({ lastFiredAt: sql`now()`, lastError: null }).where(eq(topicWatches.id, watch.id));
  const outcome = startsRun ? "started" : "opened";
  return insertDelivery(tx, { watchId: watch.id, messageId: message.id, outcome, conversationId });
}

async function insertDelivery(tx: Db, values: typeof topicDeliveries.$inferInsert): Promise<Delivery> {
  const [row] = await tx.insert(topicDeliveries).values(values).returning();
  if (!row) throw new Error("The delivery was not inserted");
  return row;
}

async function fail({ watch, topic, agent }: Found, deliveryId: string, reason: string, switchesOff: boolean): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.update(topicDeliveries).set({ outcome: "failed", reason }).where(eq(topicDeliveries.id, deliveryId));
    await tx
      .update(topicWatches)
      .set({ lastError: reason, ...(switchesOff ? { enabled: false } : {}) })
      .where(eq(topicWatches.id, watch.id));
    const { workspaceId, id: subject, name } = watch;
    const entry = { workspaceId, actor: systemActor, subject, agent: agent.name };
    await record(tx, { ...entry, event: "topic_watch.failed", data: { watch: name, topic, reason, switchedOff: switchesOff } });
  });
}

const promptOf = ({ watch, message, topic }: Found): string =>
  fillPrompt(watch.prompt, { content: message.text, topic, sender: message.sender, message_id: message.id });
