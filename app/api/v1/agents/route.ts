import { agentEndpoints } from "@/contracts/agents";
import { createAgent } from "@/server/agents/create-agent";
import { listAgents } from "@/server/agents/list-agents";
import { route } from "@/server/http/route";

export const GET = route(agentEndpoints.list, ({ actor, query }) => listAgents(actor, query));

export const POST = route(agentEndpoints.create, ({ actor, body }) => createAgent(actor, body));
