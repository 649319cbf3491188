import { jobEndpoints } from "@/contracts/jobs";
import { route } from "@/server/http/route";
import { getJob } from "@/server/turns/background/get-job";

export const GET = route(jobEndpoints.get, ({ actor, params, query, signal }) => getJob(actor, params.id, query.wait, signal));
