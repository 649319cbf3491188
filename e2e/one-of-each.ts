import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents";
import { approvalEndpoints } from "@/contracts/approvals";
import { channelEndpoints } from "@/contracts/channels";
import { conversationEndpoints } from "@/contracts/conversations";
import { dataSourceEndpoints } from "@/contracts/data-sources";
import { grantEndpoints } from "@/contracts/grants";
import { guardEndpoints } from "@/contracts/guard";
import { hookEndpoints } from "@/contracts/hooks";
import { identityEndpoints } from "@/contracts/identity";
import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { modelEndpoints } from "@/contracts/models";
import { runEndpoints } from "@/contracts/runs";
import { scheduleEndpoints } from "@/contracts/schedules";
import { todoEndpoints } from "@/contracts/todos";
import { toolEndpoints } from "@/contracts/tools";
import { turnEndpoints } from "@/contracts/turns";
import { webhookEndpoints } from "@/contracts/webhooks";
import { workflowEndpoints } from "@/contracts/workflows";
import type { Callers } from "./fixtures";

export type OneOfEach = Record<
  | "agents"
  | "api-keys"
  | "approvals"
  | "chats"
  | "channels"
  | "contacts"
  | "conversations"
  | "data-sources"
  | "grants"
  | "guard"
  | "hooks"
  | "mcp"
  | "schedules"
  | "model-providers"
  | "runs"
  | "todos"
  | "tools"
  | "turns"
  | "users"
  | "webhooks"
  | "workflows",
  string
>;

/** Makes a thing of each kind in the workspace and answers their ids by the first word of their addresses. Writing a file must ask. */
export async function makeOneOfEach({ admin, agent }: Callers): Promise<OneOfEach> {
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
  const { id: dataSourceId } = await admin.call(dataSourceEndpoints.create, {
    body: { name: `ours-${unique}`, kind: "clickhouse", host: "127.0.0.1", port: 9, database: "ours", username: "ours", enabled: false },
  });
  const { id: providerId } = await admin.call(modelEndpoints.create, {
    body: { name: `ours-${unique}`, kind: "openai_compatible", baseUrl: "http://127.0.0.1:9/v1", enabled: false },
  });
  const { id: runnerId } = await admin.call(agentEndpoints.create, {
    body: { name: `runner-${unique}`, models: [{ providerId, model: "ours" }] },
  });
  // The provider is disabled, so the run fails at once.
  const { id: runId, conversationId: chatId } = await admin.call(runEndpoints.start, {
    params: { id: runnerId },
    body: { message: "Hello" },
  });
  const { id: grantId } = await admin.call(grantEndpoints.create, {
    body: { scope: "workspace", tool: "write_file", match: { kind: "pattern", parameter: "path", pattern: `^ours-${unique}$` } },
  });
  const { id: hookId } = await admin.call(hookEndpoints.create, {
    body: { name: `ours ${unique}`, event: "after_tool", match: { tool: `ours_${unique}` }, action: { type: "truncate", maxChars: 9 } },
  });
  const { id: scheduleId } = await admin.call(scheduleEndpoints.create, {
    body: { name: `ours ${unique}`, text: "Ours", timing: { kind: "cron", expression: "0 9 * * 1" }, enabled: false },
  });
  const { id: todoId } = await admin.call(todoEndpoints.create, { body: { content: `Ours ${unique}` } });
  const { id: contactId } = await admin.call(todoEndpoints.createContact, { body: { name: `Ours ${unique}`, reachableIds: ["tg:4711"] } });
  const { id: channelId } = await admin.call(channelEndpoints.create, { body: { name: `ours-${unique}`, description: "Ours" } });
  await admin.call(channelEndpoints.createWatch, {
    params: { id: channelId },
    body: { name: `ours ${unique}`, agent: agentId, prompt: "{content}", filterSender: "nobody" },
  });
  await admin.call(channelEndpoints.send, { params: { id: channelId }, body: { text: "Ours" } });
  const { id: workflowId } = await admin.call(workflowEndpoints.create, {
    body: {
      name: `Ours ${unique}`,
      description: "",
      plan: { kind: "sequential", maxRounds: 1, stopText: "", steps: [{ name: "Ours", agentId, prompt: "{input}" }] },
    },
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
    chats: chatId,
    channels: channelId,
    contacts: contactId,
    conversations: conversationId,
    "data-sources": dataSourceId,
    grants: grantId,
    guard: ruleId,
    hooks: hookId,
    mcp: serverId,
    schedules: scheduleId,
    "model-providers": providerId,
    runs: runId,
    todos: todoId,
    tools: tool?.id ?? "there is no tool",
    turns: turn.id,
    users: userId,
    webhooks: webhookId,
    workflows: workflowId,
  };
}
