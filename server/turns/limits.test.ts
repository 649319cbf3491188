import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Permission } from "@/contracts/permissions";
import { agents, auditEvents } from "@/db/schema";
import { updateAgent } from "@/server/agents/update-agent";
import { type Actor, requirePermission } from "@/server/auth/actor";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { db } from "@/server/platform/database/database";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import { statuses, submitCalls, useStage } from "@/server/testing/stage";
import { updateTool } from "@/server/tools/admin/update-tool";

const stage = useStage();
const admin = () => stage.built.admin;
const allowAll = () => allowByDefault(stage.built.workspace.id);

/** Submits as a key with these limits. */
async function submitAs(limits: Pick<Parameters<typeof createApiKey>[1], "allowedEffects" | "trustClass">, ...calls: [string][]) {
  const key = await createApiKey(requirePermission(admin(), "admin"), { name: "Bot", scopes: ["turns:write"], ...limits });
  const agentKey: Actor = { ...stage.built.agentKey, id: key.id, name: key.name };
  return submitCalls({ ...stage, built: { ...stage.built, agentKey } }, calls);
}

test("a key that may only read is refused everything else in band, and the refusal has its audit row", async () => {
  await allowAll();
  const turn = await submitAs({ allowedEffects: ["read"] }, ["look"], ["change"]);
  expect(statuses(turn)).toEqual(["succeeded", "denied"]);
  expect(turn.calls[1]).toMatchObject({ isError: true, decision: { verdict: "deny" } });
  expect(turn.calls[1]?.content).toContain("change can write, and the API key Bot may only use tools that can read");
  const rows = await db().select().from(auditEvents).where(eq(auditEvents.turnId, turn.id));
  expect(rows.map(({ event, verdict }) => [event, verdict])).toContainEqual(["call.denied", "deny"]);
  expect(stage.log).toEqual(["look "]);
});

test("an agent's limit holds for every caller, from the next call on", async () => {
  await allowAll();
  const [agent] = await db().select().from(agents).where(eq(agents.id, stage.built.agent.id));
  if (!agent) throw new Error("no agent");
  const { name, description, disclosureMode, sharedFolder } = agent;
  const draft = { name, description, disclosureMode, sharedFolder, allowedEffects: ["read" as const] };
  expect(await updateAgent(requirePermission(admin(), "agents:write"), agent.id, draft, null)).toMatchObject({ allowedEffects: ["read"] });
  expect(statuses(await submitAs({}, ["look"], ["change"]))).toEqual(["succeeded", "denied"]);
});

test("a tool for operators is refused to a gateway's key", async () => {
  await allowAll();
  await updateTool(requirePermission(admin(), "tools:write"), "look", { requiredTrust: "operator" }, null);
  expect(statuses(await submitAs({ trustClass: "operator" }, ["look"]))).toEqual(["succeeded"]);
  const refused = await submitAs({}, ["look"]);
  expect(refused.calls[0]).toMatchObject({ status: "denied", content: expect.stringContaining("trust_class_denied") });
  expect(statuses(await submitAs({ trustClass: "child_agent" }, ["look"]))).toEqual(["denied"]);
});

test("a tool for operators is not opened by a gateway's key", async () => {
  await updateTool(requirePermission(admin(), "tools:write"), "look", { requiredTrust: "operator" }, null);
  const { id } = await createApiKey(requirePermission(admin(), "admin"), { name: "Setup", scopes: ["tools:write"] });
  const key = requirePermission({ ...stage.built.agentKey, id, permissions: new Set<Permission>(["tools:write"]) }, "tools:write");
  for (const requiredTrust of [null, "gateway"] as const) {
    await expect(updateTool(key, "look", { requiredTrust }, null)).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(await updateTool(key, "look", { requiredTrust: "operator", timeoutMs: 2_000 }, null)).toMatchObject({ timeoutMs: 2_000 });
  expect(await updateTool(requirePermission(admin(), "tools:write"), "look", { requiredTrust: null }, null)).toMatchObject({
    requiredTrust: null,
  });
});
