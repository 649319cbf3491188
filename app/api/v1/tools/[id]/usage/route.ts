import { toolEndpoints } from "@/contracts/tools";
import { route } from "@/server/http/route";
import { getToolUsage } from "@/server/tools/tool-usage";

export const GET = route(toolEndpoints.usage, ({ actor, params }) => getToolUsage(actor, params.id));
