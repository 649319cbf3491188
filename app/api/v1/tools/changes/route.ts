import { toolEndpoints } from "@/contracts/tools";
import { route } from "@/server/http/route";
import { changeTools } from "@/server/tools/change-tools";

export const POST = route(toolEndpoints.change, ({ actor, body }) => changeTools(actor, body));
