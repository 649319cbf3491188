import { jobEndpoints } from "@/contracts/calls/jobs";
import { answer } from "@/server/endpoints/answer";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import { cancelJob } from "@/server/turns/background/cancel-job";
import { getJob } from "@/server/turns/background/get-job";
import { listJobs } from "@/server/turns/background/list-jobs";

export const jobAnswers = answer(jobEndpoints, {
  list: ({ actor, query }) => listJobs(actor, query),
  get: ({ actor, params, query, signal, isStillAllowed }) =>
    runWhileAllowed({ signal, isStillAllowed }, (until) => getJob(actor, params.id, query.wait, until)),
  cancel: ({ actor, params, signal }) => cancelJob(actor, params.id, signal),
});
