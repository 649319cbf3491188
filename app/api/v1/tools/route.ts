import { httpToolEndpoints } from "@/contracts/http-tools";
import { toolEndpoints } from "@/contracts/tools";
import { createHttpTool } from "@/server/families/http-tools/change-http-tools";
import { route } from "@/server/http/route";
import { listTools } from "@/server/tools/list-tools";

export const GET = route(toolEndpoints.list, ({ actor, query }) => listTools(actor, query));

export const POST = route(httpToolEndpoints.create, ({ actor, body }) => createHttpTool(actor, body));
