import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { topics } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import type { TopicRow } from "../present-topic";
import type { Group } from "./group-capability";

const maxTopics = 50;

/** Makes a topic of the group. @throws AppError `conflict` for a taken name, or at the limit */
export async function makeTopic(tx: Db, { workspaceId, agent, by }: Group, name: string, description: string): Promise<TopicRow> {
  if ((await tx.$count(topics, eq(topics.groupAgentId, agent.id))) >= maxTopics) {
    throw new AppError("conflict", `A group has at most ${maxTopics} topics. Delete one first.`);
  }
  const [row] = await tx
    .insert(topics)
    .values({ workspaceId, name, description, groupAgentId: agent.id, createdBy: toActorRef(by) })
    .onConflictDoNothing({ target: [topics.workspaceId, topics.name] })
    .returning();
  if (!row) throw new AppError("conflict", `There is a topic named "${name}" already. Choose another name.`);
  const entry = { workspaceId, actor: toActorRef(by), subject: row.id, agent: agent.name };
  await record(tx, { ...entry, event: "topic.created", data: { name, description, group: agent.name } });
  return row;
}
