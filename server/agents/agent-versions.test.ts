import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { AgentDraft } from "@/contracts/agents/agents";
import { AgentRunLimits } from "@/contracts/runs/runs";
import { apiKeys, auditEvents } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { authorize, buildAgent, buildApiKey, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { setAgentTools } from "./agent-tools";
import { getAgentVersion, listAgentVersions } from "./agent-versions";
import { createAgent } from "./create-agent";
import { duplicateAgent } from "./duplicate-agent";
import { getAgent } from "./get-agent";
import { restoreAgentVersion } from "./restore-agent-version";
import { updateAgent } from "./update-agent";

useTestDatabase();

const writer = (actor: Actor) => authorize(actor, "agents:write");
const reader = (actor: Actor) => authorize(actor, "tools:read");
const draftOf = (values: Partial<AgentDraft> & { name: string }) => AgentDraft.parse(values);
const lines = async (actor: Actor, id: string) =>
  (await listAgentVersions(reader(actor), id)).items.map(({ version, summary }) => `${version} ${summary}`);

test("each change of an agent is a version that says what changed, and any version can be restored", async () => {
  const { workspace, admin } = await buildWorkspace();
  const scout = await createAgent(writer(admin), draftOf({ name: "scout", instructions: "Be brief." }));
  const limits = AgentRunLimits.parse({ steps: 5 });
  await updateAgent(writer(admin), scout.id, draftOf({ name: "scout", instructions: "Be long.", runLimits: limits }), 1);
  await setAgentTools(writer(admin), scout.id, [], 2);
  expect(await lines(admin, scout.id)).toEqual(["3 Saved without a change", "2 Changed instructions, limits of runs", "1 Added"]);

  const second = await getAgentVersion(reader(admin), scout.id, 2, "previous");
  expect(second).toMatchObject({ tools: [], settings: { instructions: "Be long." }, actor: { id: admin.id } });
  expect(second.changes).toContainEqual({ setting: "instructions", before: "Be brief.", after: "Be long." });
  const first = await getAgentVersion(reader(admin), scout.id, 1, "current");
  expect(first.changes.map(({ setting, before, after }) => [setting, before.slice(0, 8), after])).toEqual([
    ["instructions", "Be long.", "Be brief."],
    ["runLimits", expect.any(String), ""],
  ]);

  const restored = await restoreAgentVersion(writer(admin), scout.id, 1, 3);
  expect(restored).toMatchObject({ instructions: "Be brief.", runLimits: { steps: 50 }, version: 4 });
  expect((await lines(admin, scout.id))[0]).toBe("4 Restored version 1");
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.workspaceId, workspace.id))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(1);
  expect(event).toMatchObject({ event: "agent.restored", subject: scout.id, data: { version: 1, before: { instructions: "Be long." } } });
});

test("ticked tools belong to a version, and come back with it", async () => {
  const { workspace, admin } = await buildWorkspace();
  const agent = await buildAgent(workspace.id, { name: "scout", tools: ["files__list", "files__read"] });
  await setAgentTools(writer(admin), agent.id, ["files__list"], null);
  const { items } = await listAgentVersions(reader(admin), agent.id);
  expect(items.map(({ summary, actor }) => [summary, actor.type])).toEqual([
    ["Changed tools", "user"],
    ["The oldest kept version", "system"],
  ]);
  const restored = await restoreAgentVersion(writer(admin), agent.id, items[1]?.version ?? 0, null);
  expect(restored.tickedTools).toBe(2);
});

test("a restore is refused from an old version, for an unknown one, and for a name that is taken", async () => {
  const { admin } = await buildWorkspace();
  const scout = await createAgent(writer(admin), draftOf({ name: "scout" }));
  await updateAgent(writer(admin), scout.id, draftOf({ name: "ranger" }), 1);
  await createAgent(writer(admin), draftOf({ name: "scout" }));
  await expect(restoreAgentVersion(writer(admin), scout.id, 1, 1)).rejects.toMatchObject({ code: "stale_version" });
  await expect(restoreAgentVersion(writer(admin), scout.id, 9, null)).rejects.toMatchObject({
    code: "not_found",
    message: "The agent has no version 9. List its versions.",
  });
  await expect(restoreAgentVersion(writer(admin), scout.id, 1, null)).rejects.toMatchObject({
    code: "conflict",
    message: 'An agent named "scout" exists already. Rename it first.',
  });
  expect(await getAgent(reader(admin), scout.id)).toMatchObject({ name: "ranger", version: 2 });
});

test("a key with fewer effects cannot restore or copy an agent that may do more", async () => {
  const { workspace, admin } = await buildWorkspace();
  const scout = await createAgent(writer(admin), draftOf({ name: "scout" }));
  await updateAgent(writer(admin), scout.id, draftOf({ name: "scout", allowedEffects: ["read"] }), 1);
  const key = await buildApiKey(workspace.id, { scopes: ["agents:write"] });
  await db()
    .update(apiKeys)
    .set({ allowedEffects: ["read"] })
    .where(eq(apiKeys.id, key.id));
  await expect(restoreAgentVersion(writer(key), scout.id, 1, null)).rejects.toMatchObject({ code: "forbidden" });
  await expect(duplicateAgent(writer(key), (await createAgent(writer(admin), draftOf({ name: "all" }))).id, "copy")).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("a copy has the settings and tools of its original, and a version of its own", async () => {
  const { workspace, admin, agent: byDefault } = await buildWorkspace();
  const agent = await buildAgent(workspace.id, { name: "scout", tools: ["files__list"] });
  await updateAgent(writer(admin), agent.id, draftOf({ name: "scout", modelSettings: { temperature: 0.2, maxOutputTokens: null } }), null);
  const copy = await duplicateAgent(writer(admin), agent.id, "scout-copy");
  expect(copy).toMatchObject({ name: "scout-copy", tickedTools: 1, modelSettings: { temperature: 0.2 }, isDefault: false, version: 1 });
  expect(await lines(admin, copy.id)).toEqual(["1 Copied from scout"]);
  expect(await duplicateAgent(writer(admin), byDefault.id, "second")).toMatchObject({ isDefault: false });
  await expect(duplicateAgent(writer(admin), agent.id, "scout-copy")).rejects.toMatchObject({ code: "conflict" });
});

test("versions of another workspace's agent do not exist", async () => {
  const { agent } = await buildWorkspace();
  const { admin } = await buildWorkspace();
  const missing = { code: "not_found" };
  await expect(listAgentVersions(reader(admin), agent.id)).rejects.toMatchObject(missing);
  await expect(getAgentVersion(reader(admin), agent.id, 1, "previous")).rejects.toMatchObject(missing);
  await expect(restoreAgentVersion(writer(admin), agent.id, 1, null)).rejects.toMatchObject(missing);
  await expect(duplicateAgent(writer(admin), agent.id, "copy")).rejects.toMatchObject(missing);
});
