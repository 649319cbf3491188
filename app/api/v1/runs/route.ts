import { runEndpoints } from "@/contracts/runs";
import { route } from "@/server/http/route";
import { listRuns } from "@/server/runs/load-run";

export const GET = route(runEndpoints.list, ({ actor, query }) => listRuns(actor, query));
