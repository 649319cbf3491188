import { agentEndpoints } from "@/contracts/agents";
import { duplicateAgent } from "@/server/agents/duplicate-agent";
import { route } from "@/server/http/route";

export const POST = route(agentEndpoints.duplicate, ({ actor, params, body }) => duplicateAgent(actor, params.id, body.name));
