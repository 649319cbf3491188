import { runEndpoints } from "@/contracts/runs";
import { route } from "@/server/http/route";
import { cancelRun } from "@/server/runs/cancel-run";

export const POST = route(runEndpoints.cancel, ({ actor, params, signal }) => cancelRun(actor, params.id, signal));
