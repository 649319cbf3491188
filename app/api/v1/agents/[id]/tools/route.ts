import { agentEndpoints } from "@/contracts/agents";
import { getAgentTools, setAgentTools } from "@/server/agents/agent-tools";
import { route, versionMatched } from "@/server/http/route";

export const GET = route(agentEndpoints.getTools, ({ actor, params }) => getAgentTools(actor, params.id));

export const PUT = route(agentEndpoints.setTools, ({ actor, params, body, request }) =>
  setAgentTools(actor, params.id, body.tools, versionMatched(request)),
);
