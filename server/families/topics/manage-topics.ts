import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { Topic, TopicDraft } from "@/contracts/agents/topics";
import type { Db } from "@/db/client";
import { topics } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import { presentTopic, type TopicRow } from "./present-topic";

const maxTopics = 200;

/** Lists the topics of a workspace by name. */
export async function listTopics(actor: Authorized<"turns:read">): Promise<{ items: Topic[] }> {
  return { items: (await loadTopics(db(), actor.workspaceId)).map(presentTopic) };
}

export const loadTopics = (tx: Db, workspaceId: string): Promise<TopicRow[]> =>
  tx.select().from(topics).where(eq(topics.workspaceId, workspaceId)).orderBy(asc(topics.name));

/** @throws AppError `not_found`, also for another workspace's topic */
export async function findTopic(tx: Db, workspaceId: string, id: string): Promise<TopicRow> {
  const [row] = await tx
    .select()
    .from(topics)
    .where(and(eq(topics.workspaceId, workspaceId), eq(topics.id, id)));
  if (!row) throw missing();
  return row;
}

/** Finds a topic by its name. @throws AppError `not_found` with the names that there are */
export async function findTopicByName(tx: Db, workspaceId: string, name: string): Promise<TopicRow> {
  const all = await loadTopics(tx, workspaceId);
  const found = all.find((topic) => topic.name === name.trim().replace(/^#/, "").toLowerCase());
  if (found) return found;
  const known = all.map((topic) => topic.name).join(", ");
  throw new AppError(
    "not_found",
    `There is no topic "${name.slice(0, 100)}". ${known === "" ? "The workspace has none; an admin adds topics on the page Topics." : `Available topics: ${known}.`}`,
  );
}

/** Adds a topic. @throws AppError `conflict` for a taken name, or at the limit */
export async function createTopic(actor: Authorized<"topics:write">, draft: TopicDraft): Promise<Topic> {
  const { workspaceId, requestId } = actor;
  const change = db().transaction(async (tx) => {
    if ((await tx.$count(topics, eq(topics.workspaceId, workspaceId))) >= maxTopics) {
      throw new AppError("conflict", `A workspace has at most ${maxTopics} topics. Remove one that is not needed any more.`);
    }
    const [row] = await tx
      .insert(topics)
      .values({ ...draft, workspaceId, createdBy: toActorRef(actor) })
      .returning();
    if (!row) throw new Error("The topic was not inserted");
    await record(tx, { workspaceId, event: "topic.created", actor: toActorRef(actor), subject: row.id, data: draft, requestId });
    return presentTopic(row);
  });
  return change.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `There is a topic named "${draft.name}" already. Choose another name.`, {
      errors: [{ path: "name", message: "is taken" }],
    });
  });
}

/** Removes a topic with its messages and watches; the conversations that it opened stay. @throws AppError `not_found` */
export async function removeTopic(actor: Authorized<"topics:write">, id: string): Promise<void> {
  const { workspaceId, requestId } = actor;
  await db().transaction(async (tx) => {
    const [row] = await tx
      .delete(topics)
      .where(and(eq(topics.workspaceId, workspaceId), eq(topics.id, id)))
      .returning();
    if (!row) throw missing();
    const { name, description } = row;
    await record(tx, {
      workspaceId,
      event: "topic.removed",
      actor: toActorRef(actor),
      subject: id,
      data: { name, description },
      requestId,
    });
  });
}

const missing = () => new AppError("not_found", "This topic does not exist. It may have been removed; list the topics.");
