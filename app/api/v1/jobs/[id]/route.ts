import { jobEndpoints } from "@/contracts/jobs";
import { route } from "@/server/http/route";
import { runWhileAllowed } from "@/server/http/run-while-allowed";
import { getJob } from "@/server/turns/background/get-job";

export const GET = route(jobEndpoints.get, ({ actor, params, query, signal, isStillAllowed }) =>
  runWhileAllowed({ signal, isStillAllowed }, (until) => getJob(actor, params.id, query.wait, until)),
);
