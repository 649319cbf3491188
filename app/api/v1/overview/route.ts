import { overviewEndpoints } from "@/contracts/overview";
import { route } from "@/server/http/route";
import { getOverview } from "@/server/overview/get-overview";

export const GET = route(overviewEndpoints.get, ({ actor, query }) => getOverview(actor, query.range));
