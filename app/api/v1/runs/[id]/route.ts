import { runEndpoints } from "@/contracts/runs";
import { route } from "@/server/http/route";
import { runWhileAllowed } from "@/server/http/run-while-allowed";
import { getRun } from "@/server/runs/load-run";
import { waitForRun } from "@/server/runs/wait-for-run";

export const GET = route(runEndpoints.get, async ({ actor, params, query, signal, isStillAllowed }) => {
  const run = await getRun(actor, params.id);
  if (query.wait === 0) return run;
  return runWhileAllowed({ signal, isStillAllowed }, (until) => waitForRun(params.id, query.wait, until));
});
