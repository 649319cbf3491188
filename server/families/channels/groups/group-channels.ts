import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { channels, channelWatches, groupWires } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { findChannelByName } from "../manage-channels";
import { insertWatch } from "../manage-watches";
import type { Group } from "./group-capability";
import { findNode, listNodes } from "./nodes";

/** Deletes a channel that the group made, except those of its nodes. @throws AppError `not_found`, `conflict` */
export async function deleteChannel(tx: Db, group: Group, name: string): Promise<void> {
  const { workspaceId, agent, by } = group;
  const channel = await findChannelByName(tx, workspaceId, name);
  if (channel.groupAgentId !== agent.id) {
    throw new AppError("conflict", `The channel "${channel.name}" was not made by this group, so only people remove it.`);
  }
  if ((await listNodes(tx, group)).some(({ channelId }) => channelId === channel.id)) {
    throw new AppError("conflict", `"${channel.name}" is the channel of a node. group_remove_node removes it with its node.`);
  }
  await tx.delete(channels).where(eq(channels.id, channel.id));
  const entry = { workspaceId, actor: toActorRef(by), subject: channel.id, agent: agent.name };
  await record(tx, { ...entry, event: "channel.removed", data: { name: channel.name, group: agent.name } });
}

/** Lets a node start with each message of a channel. @throws AppError `not_found`, `conflict` when it does already */
export async function wireChannel(tx: Db, group: Group, channelName: string, nodeName: string): Promise<void> {
  const { workspaceId, by } = group;
  const { agent, stopped } = await findNode(tx, group, nodeName);
  const { id: channelId, name } = await findChannelByName(tx, workspaceId, channelName);
  const prompt = "{sender} in {channel}: {content}";
  const watch = await insertWatch(tx, {
    workspaceId,
    channelId,
    agentId: agent.id,
    name: `channel ${name}`,
    prompt,
    filterSender: null,
    by,
  });
  if (stopped) await tx.update(channelWatches).set({ enabled: false }).where(eq(channelWatches.id, watch.id));
}

/** @throws AppError `not_found` when the node does not listen to the channel */
export async function unwireChannel(tx: Db, group: Group, channelName: string, nodeName: string): Promise<void> {
  const { agent } = await findNode(tx, group, nodeName);
  const { name } = await findChannelByName(tx, group.workspaceId, channelName);
  const isIt = and(eq(channelWatches.agentId, agent.id), eq(channelWatches.name, `channel ${name}`));
  const gone = await tx.delete(channelWatches).where(isIt).returning({ id: channelWatches.id });
  if (gone.length === 0)
    throw new AppError("not_found", `"${agent.name}" is not wired to ${name}. group_status shows the channels of each node.`);
}

/** Sends each answer of a node to a channel, or to another node by its name. @throws AppError `not_found`, `conflict` */
export async function addWire(tx: Db, group: Group, from: string, to: string): Promise<void> {
  const { agent, channelId: own } = await findNode(tx, group, from);
  const channel = await findChannelByName(tx, group.workspaceId, to);
  if (channel.id === own) throw new AppError("conflict", "A node cannot be wired to itself. Send the name of another node or channel.");
  await tx.insert(groupWires).values({ fromAgentId: agent.id, channelId: channel.id, groupAgentId: group.agent.id }).onConflictDoNothing();
}

/** @throws AppError `not_found` when there is no such wire */
export async function removeWire(tx: Db, group: Group, from: string, to: string): Promise<void> {
  const { agent } = await findNode(tx, group, from);
  const channel = await findChannelByName(tx, group.workspaceId, to);
  const isIt = and(eq(groupWires.fromAgentId, agent.id), eq(groupWires.channelId, channel.id));
  const gone = await tx.delete(groupWires).where(isIt).returning({ id: groupWires.channelId });
  if (gone.length === 0)
    throw new AppError("not_found", `There is no wire from ${agent.name} to ${channel.name}. group_status lists the wires.`);
}
