import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents";
import { approvalEndpoints } from "@/contracts/approvals";
import { auditEndpoints } from "@/contracts/audit";
import { conversationEndpoints } from "@/contracts/conversations";
import type { Endpoint } from "@/contracts/endpoint";
import { grantEndpoints } from "@/contracts/grants";
import { guardEndpoints } from "@/contracts/guard";
import { hookEndpoints } from "@/contracts/hooks";
import { identityEndpoints } from "@/contracts/identity";
import { endpoints } from "@/contracts/index";
import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { toolEndpoints } from "@/contracts/tools";
import { turnEndpoints } from "@/contracts/turns";
import { webhookEndpoints } from "@/contracts/webhooks";
import { pathOf } from "../caller";
import { type Callers, expect, problemOf, test } from "../fixtures";

type Ours = Record<
  "agents" | "api-keys" | "approvals" | "conversations" | "grants" | "guard" | "hooks" | "mcp" | "tools" | "turns" | "users" | "webhooks",
  string
>;

/** One thing of each kind in our workspace, by the first word of its address. */
async function makeOurs({ admin, agent }: Callers): Promise<Ours> {
  const unique = randomUUID().slice(0, 8);
  const { id: agentId } = await admin.call(agentEndpoints.create, { body: { name: `ours-${unique}` } });
  const { id: keyId } = await admin.call(identityEndpoints.createApiKey, { body: { name: `ours-${unique}`, scopes: ["tools:read"] } });
  const email = `ours-${unique}@example.com`;
  const { id: userId } = await admin.call(identityEndpoints.createUser, {
    body: { email, name: "One of ours", role: "viewer", password: randomUUID() },
  });
  const { id: ruleId } = await admin.call(guardEndpoints.createRule, {
    body: { name: `ours ${unique}`, tool: `ours_${unique}`, verdict: "deny" },
  });
  const { id: serverId } = await admin.call(mcpServerEndpoints.create, {
    body: { alias: `ours${unique}`, transport: "stdio", command: "node", enabled: false },
  });
  const { id: webhookId } = await admin.call(webhookEndpoints.create, {
    body: { name: `ours-${unique}`, url: "https://example.com/ours", events: ["turn.finished"], enabled: false },
  });
  const { id: grantId } = await admin.call(grantEndpoints.create, {
    body: { scope: "workspace", tool: "write_file", match: { kind: "pattern", parameter: "path", pattern: `^ours-${unique}$` } },
  });
  const { id: hookId } = await admin.call(hookEndpoints.create, {
    body: { name: `ours ${unique}`, event: "after_tool", match: { tool: `ours_${unique}` }, action: { type: "truncate", maxChars: 9 } },
  });
  const [tool] = (await admin.call(toolEndpoints.list)).items;
  const { id: conversationId } = await agent.call(conversationEndpoints.create, { body: {} });
  const turn = await agent.call(turnEndpoints.submit, {
    params: { id: conversationId },
    body: { calls: [{ id: "write", name: "write_file", arguments: { path: "a.txt", content: "a" } }] },
  });
  const [approval] = (await admin.call(approvalEndpoints.list, { query: { conversationId } })).items;
  return {
    agents: agentId,
    "api-keys": keyId,
    approvals: approval?.id ?? "no approval was asked for",
    conversations: conversationId,
    grants: grantId,
    guard: ruleId,
    hooks: hookId,
    mcp: serverId,
    tools: tool?.id ?? "there is no tool",
    turns: turn.id,
    users: userId,
    webhooks: webhookId,
  };
}

/** Bodies that are right, so that only the workspace is wrong. */
const bodies: Record<string, unknown> = {
  "PUT /api/v1/agents/{id}": { name: "taken-over" },
  "PUT /api/v1/agents/{id}/tools": { tools: [] },
  "PUT /api/v1/tools/{id}": { enabled: false },
  "PUT /api/v1/tools/{id}/disclosure-tier": { tier: "core" },
  "POST /api/v1/conversations/{id}/turns": { calls: [{ id: "1", name: "date_time", arguments: {} }] },
  "POST /api/v1/conversations/{id}/hooks/{event}": { request: { model: "any", messages: [] } },
  "POST /api/v1/turns/{id}/calls/{callId}/answer": { question: 0, text: "theirs" },
  "POST /api/v1/approvals/{id}/decision": { decision: "approve" },
  "PUT /api/v1/guard/rules/{id}": { name: "Taken over", tool: "*", verdict: "allow" },
  "PUT /api/v1/hooks/{id}": { name: "Taken over", event: "after_tool", action: { type: "truncate", maxChars: 1 } },
  "PATCH /api/v1/users/{id}": { role: "owner" },
  "PUT /api/v1/mcp/servers/{id}": { alias: "takenover", transport: "stdio", command: "true" },
  "PUT /api/v1/mcp/servers/{id}/disclosure-tier": { tier: "core" },
  "PUT /api/v1/webhooks/{id}": { name: "Taken over", url: "https://example.com/theirs", events: ["turn.finished"] },
};

const withId = Object.values(endpoints)
  .flatMap((group): Endpoint[] => Object.values(group))
  // Every workspace has the same detectors, and settings of its own for them.
  .filter(({ path }) => path.includes("{id}") && !path.startsWith("/api/v1/guard/detectors/"));

test("for an admin of another workspace nothing of ours exists, and nothing of ours changes", async ({ api }) => {
  const ours = await makeOurs(api);
  const everything = async () => ({
    agent: await api.admin.call(agentEndpoints.get, { params: { id: ours.agents } }),
    keys: await api.admin.call(identityEndpoints.listApiKeys, { query: { limit: 200 } }),
    users: await api.admin.call(identityEndpoints.listUsers, { query: { limit: 200 } }),
    approval: await api.admin.call(approvalEndpoints.get, { params: { id: ours.approvals } }),
    rules: await api.admin.call(guardEndpoints.listRules, { query: { limit: 200 } }),
    server: await api.admin.call(mcpServerEndpoints.get, { params: { id: ours.mcp } }),
    tool: await api.admin.call(toolEndpoints.get, { params: { id: ours.tools } }),
    webhook: await api.admin.call(webhookEndpoints.get, { params: { id: ours.webhooks } }),
    turn: await api.admin.call(turnEndpoints.get, { params: { id: ours.turns } }),
    conversation: await api.admin.call(conversationEndpoints.get, { params: { id: ours.conversations } }),
  });
  const before = await everything();

  let asked = 0;
  for (const endpoint of withId) {
    const noun = endpoint.path.split("/")[3] ?? "";
    const id = Object.entries(ours).find(([word]) => word === noun)?.[1];
    if (!id) continue;
    const name = `${endpoint.method} ${endpoint.path}`;
    const body = endpoint.body ? bodies[name] : undefined;
    expect(Boolean(body), `${name} has a body to try it with`).toBe(Boolean(endpoint.body));
    const response = await api.stranger.fetch(pathOf(endpoint.path, { params: { id, callId: id, event: "before_llm" } }), {
      method: endpoint.method,
      ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
    });
    expect(response.status, name).toBe(404);
    expect(await problemOf(response)).toMatchObject({ code: "not_found" });
    asked += 1;
  }
  expect(asked).toBeGreaterThan(20);
  expect(await everything()).toEqual(before);
});

test("lists show an admin only what is in the workspace", async ({ api }) => {
  const ours = await makeOurs(api);
  const lists = [
    agentEndpoints.list,
    approvalEndpoints.list,
    guardEndpoints.listRules,
    mcpServerEndpoints.list,
    identityEndpoints.listApiKeys,
    identityEndpoints.listUsers,
    toolEndpoints.list,
    webhookEndpoints.list,
  ];
  for (const endpoint of lists) {
    const text = await (await api.stranger.send(endpoint)).text();
    for (const id of Object.values(ours)) expect(text, endpoint.path).not.toContain(id);
  }
  const audit = await (await api.stranger.send(auditEndpoints.export, { query: { format: "ndjson" } })).text();
  for (const id of Object.values(ours)) expect(audit).not.toContain(id);
});

test("several decisions at once cannot reach into another workspace either", async ({ api }) => {
  const ours = await makeOurs(api);
  const { results } = await api.stranger.call(approvalEndpoints.decideMany, {
    body: { decisions: [{ id: ours.approvals, decision: "approve" }] },
  });
  expect(results).toMatchObject([{ ok: false, code: "not_found", approval: null }]);
  const order = await api.stranger.refusal(guardEndpoints.orderRules, { body: { ids: [ours.guard] } });
  expect([404, 409, 422]).toContain(order.status);
  expect(await api.admin.call(approvalEndpoints.get, { params: { id: ours.approvals } })).toMatchObject({ status: "pending" });
});
