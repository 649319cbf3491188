import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { AgentDraft } from "@/contracts/agents/agents";
import { ApiKeyDraft } from "@/contracts/identity/identity";
import type { Permission } from "@/contracts/permissions";
import type { ToolEffect } from "@/contracts/tools/tools";
import type { TrustClass } from "@/contracts/tools/trust";
import { apiKeys } from "@/db/schema";
import { createAgent } from "@/server/agents/create-agent";
import { updateAgent } from "@/server/agents/update-agent";
import { db } from "@/server/platform/database/database";
import { authorize, buildAgent, buildApiKey, buildUser, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import type { Actor } from "./actor";
import { createApiKey } from "./api-keys/create-api-key";
import { createUser } from "./members/create-user";
import { updateUser } from "./members/update-user";

useTestDatabase();

type Limits = { allowedEffects?: ToolEffect[]; trustClass?: TrustClass; agentId?: string };

/** Creates an admin key with these limits. */
async function limitedKey(workspaceId: string, { agentId, ...limits }: Limits, scopes: Permission[] = ["admin"]): Promise<Actor> {
  const key = await buildApiKey(workspaceId, { scopes, agentId: agentId ?? null });
  await db()
    .update(apiKeys)
    .set({ ...limits, trustClass: limits.trustClass ?? "gateway" })
    .where(eq(apiKeys.id, key.id));
  return key;
}

const make = (actor: Actor, draft: Partial<ApiKeyDraft> = {}) =>
  createApiKey(authorize(actor, "admin"), ApiKeyDraft.parse({ name: "Next", scopes: ["turns:write"], ...draft }));
const agentOf = (draft: Partial<AgentDraft> = {}) => AgentDraft.parse({ name: "helper", ...draft });
const forbidden = { code: "forbidden" };

test("a key makes no key with effects or trust beyond its own", async () => {
  const { workspace } = await buildWorkspace();
  const key = await limitedKey(workspace.id, { allowedEffects: ["read"], trustClass: "child_agent" });
  for (const draft of [
    { allowedEffects: null },
    { allowedEffects: ["read", "write", "destroy"] },
    { allowedEffects: ["destroy"] },
    { trustClass: "gateway" },
    { trustClass: "operator", allowedEffects: [] },
  ] satisfies Partial<ApiKeyDraft>[]) {
    await expect(make(key, draft), JSON.stringify(draft)).rejects.toMatchObject(forbidden);
  }
  expect(await make(key, { allowedEffects: [] })).toMatchObject({ allowedEffects: [], trustClass: "child_agent" });
});

test("a new key that names no limits may do at most as much as the key that makes it", async () => {
  const { workspace, admin } = await buildWorkspace();
  const key = await limitedKey(workspace.id, { allowedEffects: ["read", "write"], trustClass: "child_agent" });
  expect(await make(key)).toMatchObject({ allowedEffects: ["read", "write"], trustClass: "child_agent" });
  const operator = await limitedKey(workspace.id, { trustClass: "operator" });
  expect(await make(operator)).toMatchObject({ allowedEffects: null, trustClass: "gateway" });
  expect(await make(operator, { trustClass: "operator", allowedEffects: null })).toMatchObject({ trustClass: "operator" });
  expect(await make(admin, { trustClass: "operator" })).toMatchObject({ allowedEffects: null, trustClass: "operator" });
});

test("a key that acts for one agent makes keys for that agent only, with no effect that the agent has not", async () => {
  const { workspace } = await buildWorkspace();
  const agent = await buildAgent(workspace.id, { allowedEffects: ["read"] });
  const other = await buildAgent(workspace.id);
  const key = await limitedKey(workspace.id, { agentId: agent.id });
  expect(await make(key)).toMatchObject({ agentId: agent.id, allowedEffects: ["read"] });
  await expect(make(key, { agentId: other.id })).rejects.toMatchObject(forbidden);
  await expect(make(key, { allowedEffects: null })).rejects.toMatchObject(forbidden);
});

test("a key that is not there any more gives nothing away", async () => {
  const { workspace } = await buildWorkspace();
  const key = await limitedKey(workspace.id, {});
  await db().delete(apiKeys).where(eq(apiKeys.id, key.id));
  expect(await make(key)).toMatchObject({ allowedEffects: [], trustClass: "child_agent" });
});

test("a key gives an agent no effects beyond its own, and leaves those that it has", async () => {
  const { workspace, admin } = await buildWorkspace();
  const key = authorize(await limitedKey(workspace.id, { allowedEffects: ["read"] }), "agents:write");
  await expect(createAgent(key, agentOf({ allowedEffects: null }))).rejects.toMatchObject(forbidden);
  await expect(createAgent(key, agentOf({ allowedEffects: ["write"] }))).rejects.toMatchObject(forbidden);
  const made = await createAgent(key, agentOf());
  expect(made.allowedEffects).toEqual(["read"]);
  await expect(updateAgent(key, made.id, agentOf({ allowedEffects: null }), null)).rejects.toMatchObject(forbidden);
  await expect(updateAgent(key, made.id, agentOf({ allowedEffects: ["read", "destroy"] }), null)).rejects.toMatchObject(forbidden);
  expect((await updateAgent(key, made.id, agentOf({ description: "Reads" }), null)).allowedEffects).toEqual(["read"]);

  const wide = await createAgent(authorize(admin, "agents:write"), agentOf({ name: "wide" }));
  expect(wide.allowedEffects).toBeNull();
  const narrowed = await updateAgent(key, wide.id, agentOf({ name: "wide", allowedEffects: ["read", "write"] }), null);
  expect(narrowed.allowedEffects).toEqual(["read", "write"]);
});

test("a key bound to an agent does not take the limits off its own agent", async () => {
  const { workspace } = await buildWorkspace();
  const agent = await buildAgent(workspace.id, { allowedEffects: ["read"] });
  const key = authorize(await limitedKey(workspace.id, { agentId: agent.id }, ["agents:write"]), "agents:write");
  await expect(updateAgent(key, agent.id, agentOf({ name: agent.name, allowedEffects: null }), null)).rejects.toMatchObject(forbidden);
});

test("a key with limits makes and takes over no member who has none", async () => {
  const { workspace } = await buildWorkspace();
  const draft = { email: "ann@example.com", name: "Ann", password: "a long enough password" };
  const second = await buildUser(workspace.id, "admin");
  for (const limits of [{}, { trustClass: "operator", allowedEffects: ["read"] }] satisfies Limits[]) {
    const key = authorize(await limitedKey(workspace.id, limits), "admin");
    await expect(createUser(key, { ...draft, role: "admin" })).rejects.toMatchObject(forbidden);
    await expect(updateUser(key, second.id, { password: "taken over now" })).rejects.toMatchObject(forbidden);
    expect(await updateUser(key, second.id, { name: "Anna" })).toMatchObject({ name: "Anna" });
  }
  const operator = authorize(await limitedKey(workspace.id, { trustClass: "operator" }), "admin");
  expect(await createUser(operator, { ...draft, role: "admin" })).toMatchObject({ role: "admin" });
  const key = authorize(await limitedKey(workspace.id, {}), "admin");
  expect(await createUser(key, { ...draft, email: "bob@example.com", role: "approver" })).toMatchObject({ role: "approver" });
});
