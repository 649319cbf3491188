import { agentEndpoints } from "@/contracts/agents";
import { restoreAgentVersion } from "@/server/agents/restore-agent-version";
import { route, versionMatched } from "@/server/http/route";

export const POST = route(agentEndpoints.restoreVersion, ({ actor, params, request }) =>
  restoreAgentVersion(actor, params.id, params.version, versionMatched(request)),
);
