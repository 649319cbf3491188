import { runEndpoints } from "@/contracts/runs/runs";
import { answer } from "@/server/endpoints/answer";
import { eventStream } from "@/server/endpoints/event-stream";
import { reply } from "@/server/endpoints/reply";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import { cancelRun } from "@/server/runs/cancel-run";
import { getAgentUsage } from "@/server/runs/read/agent-usage";
import { getRun, listRunMessages, listRuns, requireRun } from "@/server/runs/read/load-run";
import { isRunFullyStreamed, runFeed } from "@/server/runs/read/run-feed";
import { waitForRun } from "@/server/runs/read/wait-for-run";
import { startRun, toRunStatus } from "@/server/runs/starts/start-run";

/** Largest position of a message: the column is an int4. */
const maxPosition = 2_147_483_647;

export const runAnswers = answer(runEndpoints, {
  start: async ({ actor, params, body, signal, isStillAllowed, idempotencyKey }) => {
    const submission = { agentId: params.id, draft: body, idempotencyKey };
    const run = await runWhileAllowed({ signal, isStillAllowed }, (until) => startRun(actor, { ...submission, signal: until }));
    return reply(run, toRunStatus(run));
  },
  list: ({ actor, query }) => listRuns(actor, query),
  get: async ({ actor, params, query, signal, isStillAllowed }) => {
    const run = await getRun(actor, params.id);
    if (query.wait === 0) return run;
    return runWhileAllowed({ signal, isStillAllowed }, (until) => waitForRun(params.id, query.wait, until));
  },
  usage: ({ actor, params, query }) => getAgentUsage(actor, params.id, query.days),
  messages: ({ actor, params, query }) => listRunMessages(actor, params.id, query),
  events: async ({ actor, params, lastEventId, signal, isStillAllowed }) => {
    const last = Math.min(lastEventId ?? 0, maxPosition);
    const run = await requireRun(actor, params.id);
    // Status 204 tells an EventSource to stop reconnecting.
    if (isRunFullyStreamed(run, last)) return new Response(null, { status: 204 });
    return eventStream({ signal, isStillAllowed }, (until) => runFeed(params.id, last, until));
  },
  cancel: ({ actor, params, signal }) => cancelRun(actor, params.id, signal),
});
