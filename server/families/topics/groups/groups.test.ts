import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { agents, agentTools, runs, topics } from "@/db/schema";
import type { CallScope } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { tellRunEnd } from "@/server/platform/extension-points/run-ends";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent } from "@/server/testing/builders";
import { giveModel, saying, sentTexts, useRunStage } from "@/server/testing/models/run-stage";
import { runTool } from "@/server/testing/run-tool";
import { loadTopics } from "../manage-topics";
import { listWatches } from "../manage-watches";
import { groupTools } from "../tools/group-tools";
import { listMessages } from "../topic-messages";
import { group } from "./group-capability";

const stage = useRunStage();
let by: CallScope["actor"];
beforeEach(async () => {
  by = stage.built.admin;
  await db().update(agents).set({ privileged: true }).where(eq(agents.id, stage.built.agent.id));
  await buildAgent(stage.built.workspace.id, { name: "writer", instructions: "You write.", tools: ["look"], privileged: true });
});

/** Calls a tool of groups as the stage's agent does. */
async function ask(name: string, args: JsonObject = {}) {
  const tool = groupTools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`there is no ${name}`);
  const scope = { workspaceId: stage.built.workspace.id, conversationId: stage.conversationId, callId: newId(), actor: by };
  return runTool(tool, args, { group: group.create(scope as unknown as CallScope) });
}
const reader = () => authorize(stage.built.viewer, "turns:read");
async function topicOf(name: string) {
  const topic = (await loadTopics(db(), stage.built.workspace.id)).find((candidate) => candidate.name === name);
  if (!topic) throw new Error(`there is no topic ${name}`);
  return topic.id;
}
const messages = async (name: string) => (await listMessages(reader(), await topicOf(name))).items;
const agentsNamed = (name: string) =>
  db()
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, stage.built.workspace.id), eq(agents.name, name)));
const addDraft = (name = "draft") => ask("group_add_node", { config_path: "writer", name });

test("a node has the settings and ticked tools of its configuration, without its privilege, and the agent's own limits", async () => {
  await db()
    .update(agents)
    .set({ allowedEffects: ["read"] })
    .where(eq(agents.id, stage.built.agent.id));
  await giveModel(stage, [saying("unused")]);
  expect(await ask("group_add_node", { config: "writer", name: "draft", llm: "test-model", pwd: "drafts" })).toContain(
    "Added the node draft",
  );
  const [node] = await agentsNamed("draft");
  expect(node).toMatchObject({
    instructions: "You write.",
    privileged: false,
    allowedEffects: ["read"],
    sharedFolder: "drafts",
    models: [{ model: "test-model" }],
  });
  const ticked = await db()
    .select()
    .from(agentTools)
    .where(eq(agentTools.agentId, node?.id ?? ""));
  expect(ticked.map(({ toolName }) => toolName)).toEqual(["look"]);
  await expect(addDraft()).rejects.toThrow('An agent named "draft" exists already');
  await expect(ask("group_add_node", { config: "nobody", name: "x" })).rejects.toThrow('no agent "nobody"');
  await expect(ask("group_add_node", { config: "writer", name: "x", llm: "none" })).rejects.toThrow("There is no model none");
});

test("only privileged agents have a group, and a key that is bound to one agent cannot start others", async () => {
  by = stage.built.agentKey;
  await expect(ask("group_status")).rejects.toThrow("is bound to one agent");
  by = stage.built.admin;
  await db().update(agents).set({ privileged: false }).where(eq(agents.id, stage.built.agent.id));
  for (const [name, args] of [
    ["group_status", {}],
    ["group_add_node", { config: "writer", name: "x" }],
    ["group_send", { to: "x", message: "m" }],
    ["group_channel", { action: "create", channel: "x" }],
  ] as const) {
    await expect(ask(name, args)).rejects.toThrow("for privileged agents only");
  }
});

test("a message starts a node, and its answer goes along the wire to the next one", async () => {
  const server = await giveModel(stage, (request) =>
    sentTexts(request).some((text) => text === "user: Write") ? saying("A text") : saying("Checked"),
  );
  await addDraft();
  await ask("group_add_node", { config: "writer", name: "check" });
  await ask("group_channel", { action: "create", channel: "results" });
  await ask("group_wire", { action: "add", from: "draft", to: "check" });
  await ask("group_wire", { action: "add", source: "check", target: "results" });
  expect(await ask("group_send", { to: "draft", message: "Write" })).toMatch(/^Sent to draft\. message_id=/);
  await expect.poll(() => messages("results")).toMatchObject([{ text: "Checked", sender: "check", depth: 3 }]);
  expect(await messages("check")).toMatchObject([{ text: "A text", sender: "draft", depth: 2 }]);
  expect(server.requests.map((request) => sentTexts(request).at(-1))).toEqual(["user: Write", "user: A text"]);
  expect(await ask("group_status")).toMatchObject({
    nodes: [
      { name: "check", status: "idle", listensTo: ["check"] },
      { name: "draft", status: "idle" },
    ],
    topics: ["check", "draft", "results"],
    wires: ["check -> results", "draft -> check"],
  });
  const started = await db().select({ by: runs.requestedBy }).from(runs).where(eq(runs.workspaceId, stage.built.workspace.id));
  expect(started.every(({ by }) => by.id === stage.built.admin.id)).toBe(true);
});

test("a stopped node is started by nothing, and listens again when it is started", async () => {
  await addDraft();
  await ask("group_channel", { action: "create", channel: "news" });
  await ask("group_stop_node", { name: "draft" });
  await ask("group_channel", { action: "wire", channel: "news", node: "draft" });
  expect(await ask("group_send", { to: "draft", message: "m" })).toContain("The node is stopped");
  expect(await messages("draft")).toMatchObject([{ deliveries: [] }]);
  expect((await listWatches(reader(), await topicOf("news"))).items).toMatchObject([{ enabled: false, agent: "draft" }]);
  expect(await ask("group_status")).toMatchObject({ nodes: [{ status: "stopped" }] });
  await ask("group_start_node", { node: "draft" });
  await ask("group_send", { to: "draft", message: "again" });
  await expect.poll(() => messages("draft")).toMatchObject([{ deliveries: [{ outcome: "opened" }] }, {}]);
  await ask("group_channel", { action: "unwire", channel: "news", node: "draft" });
  await expect(ask("group_channel", { action: "unwire", channel: "news", node: "draft" })).rejects.toThrow("is not wired to news");
});

test("a removed node takes its topic, watches and wires along, and its agent stays", async () => {
  await addDraft();
  await ask("group_channel", { action: "create", channel: "news" });
  await ask("group_wire", { action: "add", from: "draft", to: "news" });
  await expect(ask("group_wire", { action: "add", from: "draft", to: "draft" })).rejects.toThrow("wired to itself");
  await expect(ask("group_channel", { action: "delete", channel: "draft" })).rejects.toThrow("is the topic of a node");
  await ask("group_remove_node", { name: "draft" });
  expect(await ask("group_status")).toEqual({ nodes: [], topics: ["news"], wires: [] });
  expect(await agentsNamed("draft")).toHaveLength(1);
  await expect(ask("group_send", { to: "draft", message: "m" })).rejects.toThrow('The group has no node "draft". group_add_node adds one.');
  await ask("group_channel", { action: "delete", channel: "news" });
  await expect(ask("group_channel", { action: "wire", channel: "news" })).rejects.toThrow("wire needs node");
  await expect(ask("group_channel", { action: "create", channel: "No Name" })).rejects.toThrow("lower-case letters");
});

test("a group changes neither topics of people nor nodes of another group", async () => {
  const { id: workspaceId } = stage.built.workspace;
  await db().insert(topics).values({ workspaceId, name: "ours", description: "", createdBy: stage.built.admin });
  await expect(ask("group_channel", { action: "delete", channel: "ours" })).rejects.toThrow("only people remove it");
  await expect(ask("group_stop_node", { name: "writer" })).rejects.toThrow('The group has no node "writer"');
});

test("a follow-up that fails does not keep a run from its end", async () => {
  const ended = {
    id: newId(),
    workspaceId: newId(),
    agentId: "no id at all",
    conversationId: newId(),
    requestedBy: by,
    answer: "x",
    error: null,
  };
  const after = await db().transaction(async (tx) => {
    await tellRunEnd(tx, { ...ended, status: "succeeded" });
    return tx.select({ id: agents.id }).from(agents).limit(1);
  });
  expect(after).toHaveLength(1);
});
