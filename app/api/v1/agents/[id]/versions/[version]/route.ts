import { agentEndpoints } from "@/contracts/agents";
import { getAgentVersion } from "@/server/agents/agent-versions";
import { route } from "@/server/http/route";

export const GET = route(agentEndpoints.version, ({ actor, params, query }) =>
  getAgentVersion(actor, params.id, params.version, query.against),
);
