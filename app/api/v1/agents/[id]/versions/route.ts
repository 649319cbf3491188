import { agentEndpoints } from "@/contracts/agents";
import { listAgentVersions } from "@/server/agents/agent-versions";
import { route } from "@/server/http/route";

export const GET = route(agentEndpoints.versions, ({ actor, params, query }) => listAgentVersions(actor, params.id, query));
