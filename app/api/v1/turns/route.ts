import { turnEndpoints } from "@/contracts/turns";
import { route } from "@/server/http/route";
import { listRecentTurns } from "@/server/turns/list-recent-turns";

export const GET = route(turnEndpoints.list, ({ actor, query }) => listRecentTurns(actor, query));
