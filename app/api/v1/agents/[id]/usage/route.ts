import { runEndpoints } from "@/contracts/runs";
import { route } from "@/server/http/route";
import { getAgentUsage } from "@/server/runs/agent-usage";

export const GET = route(runEndpoints.usage, ({ actor, params, query }) => getAgentUsage(actor, params.id, query.days));
