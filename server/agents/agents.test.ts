import { and, desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { AgentDraft } from "@/contracts/agents/agents";
import { AgentRunLimits } from "@/contracts/runs/runs";
import { agents, apiKeys, auditEvents, conversations, modelProviders, tools, turns, workspaces } from "@/db/schema";
import { type Actor, requirePermission, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent, buildApiKey, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { getAgentTools, setAgentTools } from "./agent-tools";
import { createAgent } from "./create-agent";
import { getAgent } from "./get-agent";
import { listAgents } from "./list-agents";
import { removeAgent } from "./remove-agent";
import { updateAgent } from "./update-agent";

useTestDatabase();

const draftOf = (values: Partial<AgentDraft> & { name: string }) => AgentDraft.parse(values);
const writer = (actor: Actor) => authorize(actor, "agents:write");
const reader = (actor: Actor) => authorize(actor, "tools:read");

async function latestEvent(workspaceId: string) {
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.workspaceId, workspaceId))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(1);
  return event;
}

async function configVersion(workspaceId: string): Promise<number | undefined> {
  const [row] = await db().select({ version: workspaces.configVersion }).from(workspaces).where(eq(workspaces.id, workspaceId));
  return row?.version;
}

async function buildTool(workspaceId: string, name: string): Promise<void> {
  await db()
    .insert(tools)
    .values({
      workspaceId,
      name,
      title: name,
      description: name,
      source: "builtin",
      rawName: name,
      family: "files",
      effect: "read",
      concurrencySafe: true,
      inputSchema: { type: "object" },
      schemaHash: "0",
      defaultTier: "core",
      defaultTimeoutMs: 30_000,
    });
}

test("a new agent is listed after the default one, recorded, and counts as a change of configuration", async () => {
  const { workspace, admin, viewer, agent } = await buildWorkspace();
  const before = await configVersion(workspace.id);
  const scout = await createAgent(writer(admin), draftOf({ name: "scout", description: "Looks around" }));
  expect(scout).toMatchObject({ name: "scout", isDefault: false, disclosureMode: "progressive", sharedFolder: null, version: 1 });
  expect((await listAgents(reader(viewer))).items.map(({ id, tickedTools }) => [id, tickedTools])).toEqual([
    [agent.id, 0],
    [scout.id, 0],
  ]);
  expect(await getAgent(reader(viewer), scout.id)).toEqual(scout);
  expect(await configVersion(workspace.id)).toBe((before ?? 0) + 1);
  expect(await latestEvent(workspace.id)).toMatchObject({
    event: "agent.created",
    actorId: admin.id,
    subject: scout.id,
    data: { name: "scout", description: "Looks around" },
  });
});

test("two agents of a workspace cannot have one name, and in two workspaces they can", async () => {
  const { admin } = await buildWorkspace();
  const other = await buildWorkspace();
  await createAgent(writer(admin), draftOf({ name: "scout" }));
  await expect(createAgent(writer(admin), draftOf({ name: "scout" }))).rejects.toMatchObject({ code: "conflict" });
  await expect(createAgent(writer(other.admin), draftOf({ name: "scout" }))).resolves.toMatchObject({ name: "scout" });

  const second = await createAgent(writer(admin), draftOf({ name: "second" }));
  await expect(updateAgent(writer(admin), second.id, draftOf({ name: "scout" }), null)).rejects.toMatchObject({ code: "conflict" });
  expect(await getAgent(reader(admin), second.id)).toEqual(second);
});

test("a change replaces every setting and says in the audit what was there before", async () => {
  const { workspace, admin } = await buildWorkspace();
  const scout = await createAgent(writer(admin), draftOf({ name: "scout", description: "Looks around", sharedFolder: "scouts" }));
  const changed = await updateAgent(writer(admin), scout.id, draftOf({ name: "ranger", disclosureMode: "legacy" }), scout.version);
  expect(changed).toMatchObject({ name: "ranger", description: "", disclosureMode: "legacy", sharedFolder: null, version: 2 });
  expect(await latestEvent(workspace.id)).toMatchObject({
    event: "agent.updated",
    data: { name: "ranger", before: { name: "scout", description: "Looks around", disclosureMode: "progressive", sharedFolder: "scouts" } },
  });
});

test("an agent's instructions, models and limits stay unless they are sent, and a model needs a provider of the workspace", async () => {
  const { workspace, admin } = await buildWorkspace();
  const { workspace: other } = await buildWorkspace();
  const common = { kind: "openai_compatible", baseUrl: "http://127.0.0.1:1/v1", position: 0 } as const;
  const [ours, theirs] = await db()
    .insert(modelProviders)
    .values([
      { ...common, workspaceId: workspace.id, name: "Ours" },
      { ...common, workspaceId: other.id, name: "Theirs" },
    ])
    .returning();
  const models = [{ providerId: ours?.id ?? "", model: "small" }];
  const draft = draftOf({ name: "scout", instructions: "Be brief.", models, runLimits: AgentRunLimits.parse({ steps: 5 }) });
  const scout = await createAgent(writer(admin), draft);
  expect(scout).toMatchObject({ instructions: "Be brief.", models, runLimits: { steps: 5, seconds: 3_600 } });
  const renamed = await updateAgent(writer(admin), scout.id, draftOf({ name: "ranger" }), null);
  expect(renamed).toMatchObject({ instructions: "Be brief.", models, runLimits: { steps: 5 } });
  const wrong = draftOf({ name: "ranger", models: [...models, { providerId: theirs?.id ?? "", model: "small" }] });
  await expect(updateAgent(writer(admin), scout.id, wrong, null)).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "models.1.providerId" }] },
  });
});

test("a change from an old version is refused and changes nothing", async () => {
  const { workspace, admin } = await buildWorkspace();
  const scout = await createAgent(writer(admin), draftOf({ name: "scout" }));
  const current = await updateAgent(writer(admin), scout.id, draftOf({ name: "scout", description: "new" }), scout.version);
  const before = await latestEvent(workspace.id);

  await expect(updateAgent(writer(admin), scout.id, draftOf({ name: "late" }), 1)).rejects.toMatchObject({ code: "stale_version" });
  await expect(setAgentTools(writer(admin), scout.id, [], 1)).rejects.toMatchObject({ code: "stale_version" });
  await expect(removeAgent(writer(admin), scout.id, 1)).rejects.toMatchObject({ code: "stale_version" });
  expect(await getAgent(reader(admin), scout.id)).toEqual(current);
  expect(await latestEvent(workspace.id)).toEqual(before);
});

test("of two changes from the same version only one is made", async () => {
  const { admin } = await buildWorkspace();
  const scout = await createAgent(writer(admin), draftOf({ name: "scout" }));
  const both = await Promise.allSettled(
    ["left", "right"].map((name) => updateAgent(writer(admin), scout.id, draftOf({ name }), scout.version)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await getAgent(reader(admin), scout.id)).toMatchObject({ version: 2 });
});

test("the default agent stays", async () => {
  const { admin, agent } = await buildWorkspace();
  await expect(removeAgent(writer(admin), agent.id, null)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("default"),
  });
  expect(await getAgent(reader(admin), agent.id)).toMatchObject({ isDefault: true });
});

test("a removed agent is gone with its conversations and keys, and the audit says how many", async () => {
  const { workspace, admin } = await buildWorkspace();
  const agent = await buildAgent(workspace.id, { name: "scout" });
  const key = await buildApiKey(workspace.id, { agentId: agent.id });
  await buildConversation(key);
  await removeAgent(writer(admin), agent.id, agent.version);

  await expect(getAgent(reader(admin), agent.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(removeAgent(writer(admin), agent.id, null)).rejects.toMatchObject({ code: "not_found" });
  expect(await db().select().from(conversations).where(eq(conversations.agentId, agent.id))).toEqual([]);
  expect(await db().select().from(apiKeys).where(eq(apiKeys.id, key.id))).toEqual([]);
  expect(await latestEvent(workspace.id)).toMatchObject({
    event: "agent.removed",
    subject: agent.id,
    data: { name: "scout", conversations: 1, apiKeys: [key.name] },
  });
});

test("an agent whose turn waits for an approval cannot be removed", async () => {
  const { workspace, admin } = await buildWorkspace();
  const agent = await buildAgent(workspace.id);
  const conversation = await buildConversation(admin, { agentId: agent.id });
  const [turn] = await db()
    .insert(turns)
    .values({
      workspaceId: workspace.id,
      conversationId: conversation.id,
      status: "suspended",
      requestDigest: "0",
      requestedBy: toActorRef(admin),
    })
    .returning();
  await expect(removeAgent(writer(admin), agent.id, null)).rejects.toMatchObject({ code: "conflict" });

  await db()
    .update(turns)
    .set({ status: "completed", finishedAt: new Date() })
    .where(eq(turns.id, turn?.id ?? ""));
  await expect(removeAgent(writer(admin), agent.id, null)).resolves.toBeUndefined();
});

test("ticking tools replaces the choice, whatever order or repetition it is sent in", async () => {
  const { workspace, admin, agent } = await buildWorkspace();
  for (const name of ["read_file", "write_file", "shell_execute"]) await buildTool(workspace.id, name);
  expect(await getAgentTools(reader(admin), agent.id)).toEqual({ tools: [], version: 1 });

  await setAgentTools(writer(admin), agent.id, ["write_file", "read_file", "write_file"], 1);
  expect(await getAgentTools(reader(admin), agent.id)).toEqual({ tools: ["read_file", "write_file"], version: 2 });
  expect(await getAgent(reader(admin), agent.id)).toMatchObject({ tickedTools: 2, version: 2 });
  expect((await listAgents(reader(admin))).items).toMatchObject([{ tickedTools: 2 }]);
  await setAgentTools(writer(admin), agent.id, ["shell_execute"], 2);
  expect(await getAgentTools(reader(admin), agent.id)).toEqual({ tools: ["shell_execute"], version: 3 });
  expect(await latestEvent(workspace.id)).toMatchObject({
    event: "agent.tools_changed",
    data: { tools: ["shell_execute"], before: ["read_file", "write_file"] },
  });
  await setAgentTools(writer(admin), agent.id, [], null);
  expect(await getAgentTools(reader(admin), agent.id)).toEqual({ tools: [], version: 4 });
});

test("a name of no tool is refused where it stands, and nothing is ticked", async () => {
  const { workspace, admin, agent } = await buildWorkspace();
  const other = await buildWorkspace();
  await buildTool(workspace.id, "read_file");
  await buildTool(other.workspace.id, "their_tool");
  const names = ["read_file", "reed_file", "their_tool"];
  await expect(setAgentTools(writer(admin), agent.id, names, null)).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "tools.1" }, { path: "tools.2" }] },
  });
  expect(await getAgentTools(reader(admin), agent.id)).toEqual({ tools: [], version: 1 });
});

test("a ticked tool stays ticked while its server is away", async () => {
  const { workspace, admin } = await buildWorkspace();
  await buildTool(workspace.id, "read_file");
  const agent = await buildAgent(workspace.id, { tools: ["files__list", "files__read"] });
  const saved = await setAgentTools(writer(admin), agent.id, ["files__list", "read_file"], null);
  expect(saved.tools).toEqual(["files__list", "read_file"]);
  await expect(setAgentTools(writer(admin), agent.id, ["files__read"], null)).rejects.toMatchObject({ code: "invalid" });
});

test("an agent of another workspace does not exist, whatever one does with it", async () => {
  const { agent } = await buildWorkspace();
  const { admin } = await buildWorkspace();
  const missing = { code: "not_found" };
  await expect(getAgent(reader(admin), agent.id)).rejects.toMatchObject(missing);
  await expect(getAgentTools(reader(admin), agent.id)).rejects.toMatchObject(missing);
  await expect(updateAgent(writer(admin), agent.id, draftOf({ name: "mine" }), null)).rejects.toMatchObject(missing);
  await expect(setAgentTools(writer(admin), agent.id, [], null)).rejects.toMatchObject(missing);
  await expect(removeAgent(writer(admin), agent.id, null)).rejects.toMatchObject(missing);
  expect(
    await db()
      .select()
      .from(agents)
      .where(and(eq(agents.id, agent.id), eq(agents.name, agent.name))),
  ).toHaveLength(1);
});

test("only who holds agents:write may change agents", async () => {
  const { viewer, approver, agentKey } = await buildWorkspace();
  for (const actor of [viewer, approver, agentKey]) {
    expect(() => requirePermission(actor, "agents:write")).toThrow(/agents:write/);
  }
});

test("agents are listed page by page", async () => {
  const { workspace, viewer } = await buildWorkspace();
  for (let index = 0; index < 4; index++) await buildAgent(workspace.id, { name: `agent-${index}` });
  const first = await listAgents(reader(viewer), { limit: 3 });
  expect(first.items.map(({ name }) => name)).toEqual(["default", "agent-0", "agent-1"]);
  const second = await listAgents(reader(viewer), { limit: 3, cursor: first.nextCursor ?? "" });
  expect(second.items.map(({ name }) => name)).toEqual(["agent-2", "agent-3"]);
  expect(second.nextCursor).toBeNull();
  await expect(listAgents(reader(viewer), { cursor: newId() })).rejects.toMatchObject({ code: "invalid" });
});
