import { agentEndpoints } from "@/contracts/agents/agents";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { auditEndpoints } from "@/contracts/audit/audit";
import { scheduleEndpoints } from "@/contracts/automation/schedules";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import type { Endpoint } from "@/contracts/endpoint";
import { guardEndpoints } from "@/contracts/guard/guard";
import { webhookEndpoints } from "@/contracts/hooks/webhooks";
import { identityEndpoints } from "@/contracts/identity/identity";
import { endpoints } from "@/contracts/index";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { modelEndpoints } from "@/contracts/models/models";
import { dataSourceEndpoints } from "@/contracts/tools/data-sources";
import { toolEndpoints } from "@/contracts/tools/tools";
import { turnEndpoints } from "@/contracts/turns/turns";
import { buildPath } from "../caller";
import { askBefore, expect, readProblem, test } from "../fixtures";
import { exampleOf, makeOneOfEach, wordOf } from "../one-of-each";

askBefore("write_file");

const withId = Object.values(endpoints)
  .flatMap((group): Endpoint[] => Object.values(group))
  // Every workspace has the same detectors, and settings of its own for them.
  .filter(({ path }) => path.includes("{id}") && !path.startsWith("/api/v1/guard/detectors/"));

test("for an admin of another workspace nothing of ours exists, and nothing of ours changes", async ({ api }) => {
  const ours = await makeOneOfEach(api);
  const everything = async () => ({
    agent: await api.admin.call(agentEndpoints.get, { params: { id: ours.id("agents") } }),
    keys: await api.admin.call(identityEndpoints.listApiKeys, { query: { limit: 200 } }),
    users: await api.admin.call(identityEndpoints.listUsers, { query: { limit: 200 } }),
    approval: await api.admin.call(approvalEndpoints.get, { params: { id: ours.id("approvals") } }),
    rules: await api.admin.call(guardEndpoints.listRules, { query: { limit: 200 } }),
    server: await api.admin.call(mcpServerEndpoints.get, { params: { id: ours.id("mcp") } }),
    schedule: await api.admin.call(scheduleEndpoints.get, { params: { id: ours.id("schedules") } }),
    tool: await api.admin.call(toolEndpoints.get, { params: { id: ours.id("tools") } }),
    dataSource: await api.admin.call(dataSourceEndpoints.get, { params: { id: ours.id("data-sources") } }),
    provider: await api.admin.call(modelEndpoints.get, { params: { id: ours.id("model-providers") } }),
    webhook: await api.admin.call(webhookEndpoints.get, { params: { id: ours.id("webhooks") } }),
    turn: await api.admin.call(turnEndpoints.get, { params: { id: ours.id("turns") } }),
    conversation: await api.admin.call(conversationEndpoints.get, { params: { id: ours.id("conversations") } }),
  });
  const before = await everything();

  let asked = 0;
  for (const endpoint of withId) {
    const id = ours.ids.get(wordOf(endpoint));
    if (!id) continue;
    const name = `${endpoint.method} ${endpoint.path}`;
    // A body that is right, so that only the workspace is wrong.
    const body = endpoint.body ? exampleOf(endpoint) : undefined;
    const params = { id, callId: id, changeId: id, event: "before_llm", name: "OURS", version: "1", number: "1" };
    const words = Object.keys(endpoint.query?.shape ?? {}).filter((word) => !endpoint.query?.shape[word].safeParse(undefined).success);
    const query = words.length > 0 ? `?${words.map((word) => `${word}=ours`).join("&")}` : "";
    const response = await api.stranger.fetch(`${buildPath(endpoint.path, { params })}${query}`, {
      method: endpoint.method,
      ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
    });
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
    for (const id of ours.ids.values()) expect(text, endpoint.path).not.toContain(id);
  }
  const audit = await (await api.stranger.send(auditEndpoints.export, { query: { format: "ndjson" } })).text();
  for (const id of ours.ids.values()) expect(audit).not.toContain(id);
});

test("several decisions at once cannot reach into another workspace either", async ({ api }) => {
  const ours = await makeOneOfEach(api);
  const { results } = await api.stranger.call(approvalEndpoints.decideMany, {
    body: { decisions: [{ id: ours.id("approvals"), decision: "approve" }] },
  });
  expect(results).toMatchObject([{ ok: false, code: "not_found", approval: null }]);
  const order = await api.stranger.refusal(guardEndpoints.orderRules, { body: { ids: [ours.id("guard")] } });
  expect([404, 409, 422]).toContain(order.status);
  expect(await api.admin.call(approvalEndpoints.get, { params: { id: ours.id("approvals") } })).toMatchObject({ status: "pending" });
});
