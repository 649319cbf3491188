import { workListEndpoints } from "@/contracts/work-lists";
import { getWorkList } from "@/server/families/framework/work-list/read-work-list";
import { route } from "@/server/http/route";

export const GET = route(workListEndpoints.get, ({ actor, params }) => getWorkList(actor, params.id));
