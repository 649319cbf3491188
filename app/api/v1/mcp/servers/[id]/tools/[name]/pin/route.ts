import { toolChangeEndpoints } from "@/contracts/tool-changes";
import { route } from "@/server/http/route";
import { decidePin } from "@/server/tools/pins/decide-pin";

export const POST = route(toolChangeEndpoints.decide, ({ actor, params, body }) => decidePin(actor, params.id, params.name, body));
