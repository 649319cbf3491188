import { mcpContentEndpoints } from "@/contracts/mcp/mcp-contents";
import { answer } from "@/server/endpoints/answer";
import { listServerPrompts, listServerResources, readServerLog } from "@/server/mcp/connect/servers/list-server-contents";

export const mcpContentAnswers = answer(mcpContentEndpoints, {
  resources: ({ actor, params, query }) => listServerResources(actor, params.id, query),
  prompts: ({ actor, params, query }) => listServerPrompts(actor, params.id, query),
  log: ({ actor, params }) => readServerLog(actor, params.id),
});
