import { agentEndpoints } from "@/contracts/agents";
import { approvalEndpoints } from "@/contracts/approvals";
import { auditEndpoints } from "@/contracts/audit";
import { conversationEndpoints } from "@/contracts/conversations";
import { dataSourceEndpoints } from "@/contracts/data-sources";
import type { Endpoint } from "@/contracts/endpoint";
import { guardEndpoints } from "@/contracts/guard";
import { identityEndpoints } from "@/contracts/identity";
import { endpoints } from "@/contracts/index";
import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { modelEndpoints } from "@/contracts/models";
import { scheduleEndpoints } from "@/contracts/schedules";
import { toolEndpoints } from "@/contracts/tools";
import { turnEndpoints } from "@/contracts/turns";
import { webhookEndpoints } from "@/contracts/webhooks";
import { buildPath } from "../caller";
import { askBefore, expect, readProblem, test } from "../fixtures";
import { makeOneOfEach } from "../one-of-each";

askBefore("write_file");

const theirs = "00000000-0000-7000-8000-000000000000";

/** Bodies that are right, so that only the workspace is wrong. */
const bodies: Record<string, unknown> = {
  "PUT /api/v1/agents/{id}": { name: "taken-over" },
  "PUT /api/v1/agents/{id}/tools": { tools: [] },
  "POST /api/v1/agents/{id}/duplicate": { name: "theirs" },
  "POST /api/v1/agents/{id}/runs": { message: "theirs" },
  "POST /api/v1/agents/{id}/tools/preview": { tools: [] },
  "PUT /api/v1/tools/{id}": { enabled: false },
  "PATCH /api/v1/tools/{id}": { enabled: false },
  "PUT /api/v1/tools/{id}/disclosure-tier": { tier: "core" },
  "PUT /api/v1/tools/{id}/http": { name: "theirs", description: "Theirs", http: { method: "GET", url: "https://api.example.com/x" } },
  "POST /api/v1/conversations/{id}/turns": { calls: [{ id: "1", name: "date_time", arguments: {} }] },
  "POST /api/v1/conversations/{id}/changes/{changeId}/restore": { force: true },
  "POST /api/v1/conversations/{id}/hooks/{event}": { request: { model: "any", messages: [] } },
  "PATCH /api/v1/chats/{id}": { title: "Theirs" },
  "POST /api/v1/turns/{id}/calls/{callId}/answer": { question: 0, text: "theirs" },
  "POST /api/v1/approvals/{id}/decision": { decision: "approve" },
  "POST /api/v1/approvals/{id}/proposals": { pattern: "^git log(?: |$)" },
  "PUT /api/v1/guard/rules/{id}": { name: "Taken over", tool: "*", verdict: "allow" },
  "PUT /api/v1/hooks/{id}": { name: "Taken over", event: "after_tool", action: { type: "truncate", maxChars: 1 } },
  "PATCH /api/v1/users/{id}": { role: "owner" },
  "PUT /api/v1/mcp/servers/{id}": { alias: "takenover", transport: "stdio", command: "true" },
  "PATCH /api/v1/mcp/servers/{id}": { enabled: false },
  "POST /api/v1/mcp/servers/{id}/authorization": {},
  "PUT /api/v1/mcp/servers/{id}/disclosure-tier": { tier: "core" },
  "POST /api/v1/mcp/servers/{id}/tools/{name}/pin": { decision: "approve", hash: "0" },
  "PUT /api/v1/schedules/{id}": { name: "Taken over", text: "Theirs", timing: { kind: "interval", everySeconds: 60 } },
  "POST /api/v1/channels/{id}/messages": { text: "theirs" },
  "POST /api/v1/channels/{id}/watches": { name: "theirs", agent: "default", prompt: "{content}" },
  "PUT /api/v1/channels/watches/{id}": { enabled: false },
  "PUT /api/v1/workflows/{id}": {
    name: "Taken over",
    plan: { kind: "sequential", steps: [{ name: "Theirs", agentId: theirs, prompt: "x" }] },
  },
  "POST /api/v1/workflows/{id}/runs": { input: "theirs" },
  "PUT /api/v1/data-sources/{id}": { name: "theirs", kind: "mysql", host: "127.0.0.1", database: "theirs", username: "theirs" },
  "PUT /api/v1/model-providers/{id}": { name: "Taken over", kind: "google", baseUrl: "https://example.com/theirs" },
  "POST /api/v1/model-providers/{id}/test": { model: "theirs" },
  "PUT /api/v1/webhooks/{id}": { name: "Taken over", url: "https://example.com/theirs", events: ["turn.finished"] },
};

const withId = Object.values(endpoints)
  .flatMap((group): Endpoint[] => Object.values(group))
  // Every workspace has the same detectors, and settings of its own for them.
  .filter(({ path }) => path.includes("{id}") && !path.startsWith("/api/v1/guard/detectors/"));

test("for an admin of another workspace nothing of ours exists, and nothing of ours changes", async ({ api }) => {
  const ours = await makeOneOfEach(api);
  const everything = async () => ({
    agent: await api.admin.call(agentEndpoints.get, { params: { id: ours.agents } }),
    keys: await api.admin.call(identityEndpoints.listApiKeys, { query: { limit: 200 } }),
    users: await api.admin.call(identityEndpoints.listUsers, { query: { limit: 200 } }),
    approval: await api.admin.call(approvalEndpoints.get, { params: { id: ours.approvals } }),
    rules: await api.admin.call(guardEndpoints.listRules, { query: { limit: 200 } }),
    server: await api.admin.call(mcpServerEndpoints.get, { params: { id: ours.mcp } }),
    schedule: await api.admin.call(scheduleEndpoints.get, { params: { id: ours.schedules } }),
    tool: await api.admin.call(toolEndpoints.get, { params: { id: ours.tools } }),
    dataSource: await api.admin.call(dataSourceEndpoints.get, { params: { id: ours["data-sources"] } }),
    provider: await api.admin.call(modelEndpoints.get, { params: { id: ours["model-providers"] } }),
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
    const response = await api.stranger.fetch(
      buildPath(endpoint.path, { params: { id, callId: id, changeId: id, event: "before_llm", name: "ours", version: "1" } }),
      {
        method: endpoint.method,
        ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
      },
    );
    expect(response.status, name).toBe(404);
    expect(await readProblem(response)).toMatchObject({ code: "not_found" });
    asked += 1;
  }
  expect(asked).toBeGreaterThan(20);
  expect(await everything()).toEqual(before);
});

test("lists show an admin only what is in the workspace", async ({ api }) => {
  const ours = await makeOneOfEach(api);
  const lists = [
    agentEndpoints.list,
    approvalEndpoints.list,
    approvalEndpoints.inbox,
    approvalEndpoints.groups,
    approvalEndpoints.allowedNow,
    guardEndpoints.listRules,
    mcpServerEndpoints.list,
    identityEndpoints.listApiKeys,
    identityEndpoints.listUsers,
    toolEndpoints.list,
    webhookEndpoints.list,
    dataSourceEndpoints.list,
  ];
  for (const endpoint of lists) {
    const text = await (await api.stranger.send(endpoint)).text();
    for (const id of Object.values(ours)) expect(text, endpoint.path).not.toContain(id);
  }
  const audit = await (await api.stranger.send(auditEndpoints.export, { query: { format: "ndjson" } })).text();
  for (const id of Object.values(ours)) expect(audit).not.toContain(id);
});

test("several decisions at once cannot reach into another workspace either", async ({ api }) => {
  const ours = await makeOneOfEach(api);
  const { results } = await api.stranger.call(approvalEndpoints.decideMany, {
    body: { decisions: [{ id: ours.approvals, decision: "approve" }] },
  });
  expect(results).toMatchObject([{ ok: false, code: "not_found", approval: null }]);
  const order = await api.stranger.refusal(guardEndpoints.orderRules, { body: { ids: [ours.guard] } });
  expect([404, 409, 422]).toContain(order.status);
  expect(await api.admin.call(approvalEndpoints.get, { params: { id: ours.approvals } })).toMatchObject({ status: "pending" });
});
