import { hookEndpoints } from "@/contracts/hooks";
import { listHookRuns } from "@/server/families/hooks/list-hook-runs";
import { route } from "@/server/http/route";

export const GET = route(hookEndpoints.listRuns, ({ actor, query }) => listHookRuns(actor, query));
