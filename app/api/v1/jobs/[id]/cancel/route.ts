import { jobEndpoints } from "@/contracts/jobs";
import { route } from "@/server/http/route";
import { cancelJob } from "@/server/turns/background/cancel-job";

export const POST = route(jobEndpoints.cancel, ({ actor, params, signal }) => cancelJob(actor, params.id, signal));
