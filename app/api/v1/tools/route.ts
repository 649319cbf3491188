import { toolEndpoints } from "@/contracts/tools";
import { route } from "@/server/http/route";
import { listTools } from "@/server/tools/list-tools";

export const GET = route(toolEndpoints.list, ({ actor, query }) => listTools(actor, query));
