import { toolChangeEndpoints } from "@/contracts/tool-changes";
import { route } from "@/server/http/route";
import { getToolChange } from "@/server/tools/pins/list-changes";

export const GET = route(toolChangeEndpoints.get, ({ actor, params }) => getToolChange(actor, params.id));
