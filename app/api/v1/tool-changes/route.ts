import { toolChangeEndpoints } from "@/contracts/tool-changes";
import { route } from "@/server/http/route";
import { listToolChanges } from "@/server/tools/pins/list-changes";

export const GET = route(toolChangeEndpoints.list, ({ actor, query }) => listToolChanges(actor, query));
