import "server-only";
import { and, asc, eq, inArray } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { openRunStatuses } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { agents, groupNodes, groupWires, modelProviders, runs, topics, topicWatches } from "@/db/schema";
import { copyAgent } from "@/server/agents/copy-agent";
import { AppError } from "@/server/platform/errors";
import { insertWatch } from "../manage-watches";
import { type AgentRow, findAgentByName, type Group } from "./group-capability";
import { makeTopic } from "./make-topic";

const maxNodes = 20;

export type Node = { agent: AgentRow; topicId: string; stopped: boolean };
export type NewNode = { config: string; name: string; llm?: string | undefined; folder?: string | null | undefined };

/**
 * Makes an agent from an existing one and adds it to the group, with a topic of its name whose messages start it.
 * @throws AppError `not_found`, `conflict`
 */
export async function addNode(tx: Db, group: Group, { config, name, llm, folder }: NewNode): Promise<Node> {
  const { workspaceId, agent: owner, by } = group;
  if ((await tx.$count(groupNodes, eq(groupNodes.groupAgentId, owner.id))) >= maxNodes) {
    throw new AppError("conflict", `A group has at most ${maxNodes} nodes. Remove one with group_remove_node first.`);
  }
  const source = await findAgentByName(tx, workspaceId, config);
  const models = llm ? { models: await findModels(tx, workspaceId, llm) } : {};
  const allowedEffects = withinOwn(source.allowedEffects, owner.allowedEffects);
  const agent = await copyAgent(tx, source, { name, allowedEffects, ...models, ...(folder ? { sharedFolder: folder } : {}) }, by);
  const topic = await makeTopic(tx, group, name, `Starts the node ${name}`);
  const watch = { workspaceId, topicId: topic.id, agentId: agent.id, name: "inbox", prompt: "{content}", filterSender: null, by };
  await insertWatch(tx, watch);
  await tx.insert(groupNodes).values({ agentId: agent.id, groupAgentId: owner.id, topicId: topic.id });
  return { agent, topicId: topic.id, stopped: false };
}

/** Takes a node out of the group, with its topic, watches and wires. Its agent stays with its conversations. */
export async function removeNode(tx: Db, group: Group, name: string): Promise<void> {
  const { agent, topicId } = await findNode(tx, group, name);
  await tx.delete(groupWires).where(eq(groupWires.fromAgentId, agent.id));
  await tx.delete(topicWatches).where(eq(topicWatches.agentId, agent.id));
  // The node's row goes with its topic.
  await tx.delete(topics).where(eq(topics.id, topicId));
}

/** Stops or starts a node: a stopped one is started by no message, and runs that have begun go on to their end. */
export async function switchNode(tx: Db, group: Group, name: string, stopped: boolean): Promise<void> {
  const { agent } = await findNode(tx, group, name);
  await tx.update(groupNodes).set({ stopped }).where(eq(groupNodes.agentId, agent.id));
  await tx.update(topicWatches).set({ enabled: !stopped, lastError: null }).where(eq(topicWatches.agentId, agent.id));
}

/** Finds a node of the group by its name. @throws AppError `not_found` with the names of the nodes */
export async function findNode(tx: Db, group: Group, name: string): Promise<Node> {
  const nodes = await listNodes(tx, group);
  const found = nodes.find(({ agent }) => agent.name === name.trim());
  if (found) return found;
  const known = nodes.map(({ agent }) => agent.name).join(", ");
  throw new AppError(
    "not_found",
    `The group has no node "${name.slice(0, 100)}". ${known ? `Its nodes: ${known}.` : "group_add_node adds one."}`,
  );
}

export const listNodes = (tx: Db, { agent }: Group): Promise<Node[]> =>
  tx
    .select({ agent: agents, topicId: groupNodes.topicId, stopped: groupNodes.stopped })
    .from(groupNodes)
    .innerJoin(agents, eq(agents.id, groupNodes.agentId))
    .where(eq(groupNodes.groupAgentId, agent.id))
    .orderBy(asc(agents.name));

/** The nodes with their unfinished runs, their topics and the wires of the group. */
export async function groupStatus(tx: Db, group: Group): Promise<JsonObject> {
  const nodes = await listNodes(tx, group);
  const ids = nodes.map(({ agent }) => agent.id);
  const open = and(inArray(runs.agentId, ids), inArray(runs.status, [...openRunStatuses]));
  const busy = ids.length > 0 ? await tx.select({ agentId: runs.agentId, status: runs.status }).from(runs).where(open) : [];
  const watched = { agentId: topicWatches.agentId, topic: topics.name, lastError: topicWatches.lastError };
  const watches =
    ids.length > 0
      ? await tx
          .select(watched)
          .from(topicWatches)
          .innerJoin(topics, eq(topics.id, topicWatches.topicId))
          .where(inArray(topicWatches.agentId, ids))
          .orderBy(topics.name)
      : [];
  const wires = await tx
    .select({ from: agents.name, to: topics.name })
    .from(groupWires)
    .innerJoin(agents, eq(agents.id, groupWires.fromAgentId))
    .innerJoin(topics, eq(topics.id, groupWires.topicId))
    .where(eq(groupWires.groupAgentId, group.agent.id))
    .orderBy(agents.name, topics.name);
  const own = await tx.select({ name: topics.name }).from(topics).where(eq(topics.groupAgentId, group.agent.id)).orderBy(topics.name);
  return {
    nodes: nodes.map(({ agent, stopped }) => ({
      name: agent.name,
      status: stopped ? "stopped" : busy.some(({ agentId }) => agentId === agent.id) ? "working" : "idle",
      runs: busy.filter(({ agentId }) => agentId === agent.id).map(({ status }) => status),
      listensTo: watches
        .filter(({ agentId }) => agentId === agent.id)
        .map(({ topic, lastError }) => (lastError ? `${topic} (${lastError})` : topic)),
    })),
    topics: own.map(({ name }) => name),
    wires: wires.map(({ from, to }) => `${from} -> ${to}`),
  };
}

function withinOwn(source: AgentRow["allowedEffects"], own: AgentRow["allowedEffects"]): AgentRow["allowedEffects"] {
  return source && own ? source.filter((effect) => own.includes(effect)) : (source ?? own);
}

async function findModels(tx: Db, workspaceId: string, name: string): Promise<AgentRow["models"]> {
  const rows = await tx
    .select({ id: modelProviders.id, models: modelProviders.models })
    .from(modelProviders)
    .where(and(eq(modelProviders.workspaceId, workspaceId), eq(modelProviders.enabled, true)));
  const found = rows.flatMap(({ id, models }) => models.flatMap((model) => (model.name === name ? [{ providerId: id, model: name }] : [])));
  if (found.length > 0) return found;
  throw new AppError("not_found", `There is no model ${name.slice(0, 100)}. Leave llm out to keep the model of the configuration.`);
}
