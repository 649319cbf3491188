import { jobEndpoints } from "@/contracts/jobs";
import { route } from "@/server/http/route";
import { listJobs } from "@/server/turns/background/list-jobs";

export const GET = route(jobEndpoints.list, ({ actor, query }) => listJobs(actor, query));
