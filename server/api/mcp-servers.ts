import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { answer } from "@/server/endpoints/answer";
import { exportServers } from "@/server/mcp/connect/foreign-config/export-servers";
import { importServers } from "@/server/mcp/connect/foreign-config/import-servers";
import { confirmEffects } from "@/server/mcp/connect/servers/confirm-effects";
import { createServer } from "@/server/mcp/connect/servers/create-server";
import { getServer } from "@/server/mcp/connect/servers/get-server";
import { listServerTools } from "@/server/mcp/connect/servers/list-server-tools";
import { listServers } from "@/server/mcp/connect/servers/list-servers";
import { reconnectServer } from "@/server/mcp/connect/servers/reconnect-server";
import { removeServer } from "@/server/mcp/connect/servers/remove-server";
import { setServerTier } from "@/server/mcp/connect/servers/set-server-tier";
import { testDraft } from "@/server/mcp/connect/servers/test-draft";
import { testServer } from "@/server/mcp/connect/servers/test-server";
import { patchServer, updateServer } from "@/server/mcp/connect/servers/update-server";

export const mcpServerAnswers = answer(mcpServerEndpoints, {
  list: ({ actor, query }) => listServers(actor, query),
  create: ({ actor, body }) => createServer(actor, body),
  importConfig: ({ actor, body }) => importServers(actor, body),
  exportConfig: ({ actor, query }) => exportServers(actor, query.format),
  get: ({ actor, params }) => getServer(actor, params.id),
  update: ({ actor, params, body, version }) => updateServer(actor, params.id, body, version),
  patch: ({ actor, params, body, version }) => patchServer(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeServer(actor, params.id, version),
  test: ({ actor, params, signal }) => testServer(actor, params.id, signal),
  testDraft: ({ actor, body, signal }) => testDraft(actor, body, signal),
  reconnect: ({ actor, params }) => reconnectServer(actor, params.id),
  setTier: ({ actor, params, body, version }) => setServerTier(actor, params.id, body.tier, version),
  confirmEffects: ({ actor, params, body }) => confirmEffects(actor, params.id, body.effects),
  tools: ({ actor, params }) => listServerTools(actor, params.id),
});
