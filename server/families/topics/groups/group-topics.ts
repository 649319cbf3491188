import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { groupWires, topics, topicWatches } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { findTopicByName } from "../manage-topics";
import { insertWatch } from "../manage-watches";
import type { Group } from "./group-capability";
import { findNode, listNodes } from "./nodes";

/** Deletes a topic that the group made, except those of its nodes. @throws AppError `not_found`, `conflict` */
export async function deleteTopic(tx: Db, group: Group, name: string): Promise<void> {
  const { workspaceId, agent, by } = group;
  const topic = await findTopicByName(tx, workspaceId, name);
  if (topic.groupAgentId !== agent.id) {
    throw new AppError("conflict", `The topic "${topic.name}" was not made by this group, so only people remove it.`);
  }
  if ((await listNodes(tx, group)).some(({ topicId }) => topicId === topic.id)) {
    throw new AppError("conflict", `"${topic.name}" is the topic of a node. group_remove_node removes it with its node.`);
  }
  await tx.delete(topics).where(eq(topics.id, topic.id));
  const entry = { workspaceId, actor: toActorRef(by), subject: topic.id, agent: agent.name };
  await record(tx, { ...entry, event: "topic.removed", data: { name: topic.name, group: agent.name } });
}

/** Lets a node start with each message of a topic. @throws AppError `not_found`, `conflict` when it does already */
export async function wireTopic(tx: Db, group: Group, topicName: string, nodeName: string): Promise<void> {
  const { workspaceId, by } = group;
  const { agent, stopped } = await findNode(tx, group, nodeName);
  const { id: topicId, name } = await findTopicByName(tx, workspaceId, topicName);
  const prompt = "{sender} in {topic}: {content}";
  const watch = await insertWatch(tx, {
    workspaceId,
    topicId,
    agentId: agent.id,
    name: `topic ${name}`,
    prompt,
    filterSender: null,
    by,
  });
  if (stopped) await tx.update(topicWatches).set({ enabled: false }).where(eq(topicWatches.id, watch.id));
}

/** @throws AppError `not_found` when the node does not listen to the topic */
export async function unwireTopic(tx: Db, group: Group, topicName: string, nodeName: string): Promise<void> {
  const { agent } = await findNode(tx, group, nodeName);
  const { name } = await findTopicByName(tx, group.workspaceId, topicName);
  const isIt = and(eq(topicWatches.agentId, agent.id), eq(topicWatches.name, `topic ${name}`));
  const gone = await tx.delete(topicWatches).where(isIt).returning({ id: topicWatches.id });
  if (gone.length === 0)
    throw new AppError("not_found", `"${agent.name}" is not wired to ${name}. group_status shows the topics of each node.`);
}

/** Sends each answer of a node to a topic, or to another node by its name. @throws AppError `not_found`, `conflict` */
export async function addWire(tx: Db, group: Group, from: string, to: string): Promise<void> {
  const { agent, topicId: own } = await findNode(tx, group, from);
  const topic = await findTopicByName(tx, group.workspaceId, to);
  if (topic.id === own) throw new AppError("conflict", "A node cannot be wired to itself. Send the name of another node or topic.");
  await tx.insert(groupWires).values({ fromAgentId: agent.id, topicId: topic.id, groupAgentId: group.agent.id }).onConflictDoNothing();
}

/** @throws AppError `not_found` when there is no such wire */
export async function removeWire(tx: Db, group: Group, from: string, to: string): Promise<void> {
  const { agent } = await findNode(tx, group, from);
  const topic = await findTopicByName(tx, group.workspaceId, to);
  const isIt = and(eq(groupWires.fromAgentId, agent.id), eq(groupWires.topicId, topic.id));
  const gone = await tx.delete(groupWires).where(isIt).returning({ id: groupWires.topicId });
  if (gone.length === 0)
    throw new AppError("not_found", `There is no wire from ${agent.name} to ${topic.name}. group_status lists the wires.`);
}
