import "server-only";
import { and, asc, eq, or } from "drizzle-orm";
import { z } from "zod";
import type { TopicWatch, TopicWatchDraft } from "@/contracts/agents/topics";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { agents, topics, topicWatches } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { maySee } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import { findTopic } from "./manage-topics";
import { presentWatch, type WatchRow } from "./present-topic";

/** An agent that watches topics in a loop must come to an end. */
const maxWatchesPerAgent = 50;

type NewWatch = Pick<WatchRow, "workspaceId" | "topicId" | "agentId" | "name" | "prompt" | "filterSender"> & { by: ActorRef };

/** Lists the watches of a topic; a bound key sees its agent's. @throws AppError `not_found` */
export async function listWatches(actor: Authorized<"turns:read">, topicId: string): Promise<{ items: TopicWatch[] }> {
  await findTopic(db(), actor.workspaceId, topicId);
  const found = await select(
    db(),
    and(eq(topicWatches.topicId, topicId), actor.agentId ? eq(topicWatches.agentId, actor.agentId) : undefined),
  );
  return { items: found.map(({ watch, ...names }) => presentWatch(watch, names)) };
}

/** Lets an agent start with each message of a topic, for the actor. @throws AppError `conflict`, `invalid`, `not_found` */
export async function createWatch(
  actor: Authorized<"topics:write">,
  topicId: string,
  { agent: asked, ...settings }: TopicWatchDraft,
): Promise<TopicWatch> {
  const { workspaceId, requestId } = actor;
  return db().transaction(async (tx) => {
    const topic = await findTopic(tx, workspaceId, topicId);
    const isId = z.uuid().safeParse(asked).success;
    const [agent] = await tx
      .select({ id: agents.id, name: agents.name })
      .from(agents)
      .where(and(eq(agents.workspaceId, workspaceId), or(eq(agents.name, asked), isId ? eq(agents.id, asked) : undefined)));
    if (!agent || !maySee(actor, { agentId: agent.id })) {
      const message = `There is no agent "${asked}" in this workspace.`;
      throw new AppError("invalid", message, { errors: [{ path: "agent", message }] });
    }
    const row = await insertWatch(tx, { ...settings, workspaceId, topicId, agentId: agent.id, by: actor }, requestId);
    return presentWatch(row, { topic: topic.name, agent: agent.name });
  });
}

/** Adds a watch with its audit row. @throws AppError `conflict` for a taken name, or at the limit */
export async function insertWatch(tx: Db, { by, ...values }: NewWatch, requestId: string | null = null): Promise<WatchRow> {
  if ((await tx.$count(topicWatches, eq(topicWatches.agentId, values.agentId))) >= maxWatchesPerAgent) {
    throw new AppError("conflict", `An agent has at most ${maxWatchesPerAgent} watches. Remove one that is not needed any more.`);
  }
  try {
    // A savepoint, because a taken name must not spoil the caller's transaction.
    const [row] = await tx.transaction((inner) =>
      inner
        .insert(topicWatches)
        .values({ ...values, createdBy: toActorRef(by) })
        .returning(),
    );
    if (!row) throw new Error("The watch was not inserted");
    await recordWatch(tx, "topic_watch.created", row, by, { prompt: row.prompt, filterSender: row.filterSender }, requestId);
    return row;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `The agent has a watch named "${values.name}" already. Choose another name.`, {
      errors: [{ path: "name", message: "is taken" }],
    });
  }
}

/** Switches a watch on or off. Switched on, it begins without its last error. @throws AppError `not_found` */
export async function switchWatch(actor: Authorized<"topics:write">, id: string, enabled: boolean): Promise<TopicWatch> {
  return db().transaction(async (tx) => {
    const { watch, ...names } = await requireWatch(tx, actor, id);
    const change = { enabled, ...(enabled ? { lastError: null } : {}) };
    await tx.update(topicWatches).set(change).where(eq(topicWatches.id, id));
    await recordWatch(tx, "topic_watch.switched", watch, actor, { enabled }, actor.requestId);
    return presentWatch({ ...watch, ...change }, names);
  });
}

/** @throws AppError `not_found` */
export async function removeWatch(actor: Authorized<"topics:write">, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const { watch } = await requireWatch(tx, actor, id);
    await tx.delete(topicWatches).where(eq(topicWatches.id, id));
    await recordWatch(tx, "topic_watch.removed", watch, actor, { prompt: watch.prompt }, actor.requestId);
  });
}

async function requireWatch(tx: Db, actor: Authorized<"topics:write">, id: string) {
  const [found] = await select(tx, and(eq(topicWatches.workspaceId, actor.workspaceId), eq(topicWatches.id, id)));
  if (!found || !maySee(actor, found.watch))
    throw new AppError("not_found", "This watch does not exist. It may have been removed; list the watches of its topic.");
  return found;
}

const select = (tx: Db, condition: ReturnType<typeof and>) =>
  tx
    .select({ watch: topicWatches, topic: topics.name, agent: agents.name })
    .from(topicWatches)
    .innerJoin(topics, eq(topics.id, topicWatches.topicId))
    .innerJoin(agents, eq(agents.id, topicWatches.agentId))
    .where(condition)
    .orderBy(asc(topicWatches.id));

async function recordWatch(
  tx: Db,
  event: "topic_watch.created" | "topic_watch.switched" | "topic_watch.removed",
  { id, workspaceId, name, topicId }: WatchRow,
  by: ActorRef,
  data: JsonObject,
  requestId: string | null,
): Promise<void> {
  await record(tx, { workspaceId, event, actor: toActorRef(by), subject: id, data: { name, topicId, ...data }, requestId });
}
