import { callEndpoints } from "@/contracts/calls";
import { route } from "@/server/http/route";
import { listRecentCalls } from "@/server/turns/list-recent-calls";

export const GET = route(callEndpoints.list, ({ actor, query }) => listRecentCalls(actor, query));
