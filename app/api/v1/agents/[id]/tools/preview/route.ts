import { agentEndpoints } from "@/contracts/agents";
import { route } from "@/server/http/route";
import { previewAgentTools } from "@/server/tools/preview-agent-tools";

export const POST = route(agentEndpoints.previewTools, ({ actor, params, body }) => previewAgentTools(actor, params.id, body.tools));
