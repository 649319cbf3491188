import { runEndpoints } from "@/contracts/runs";
import { readIdempotencyKey } from "@/server/http/idempotency-key";
import { reply, route } from "@/server/http/route";
import { runWhileAllowed } from "@/server/http/run-while-allowed";
import { startRun, toRunStatus } from "@/server/runs/start-run";

export const POST = route(runEndpoints.start, async ({ actor, params, body, request, signal, isStillAllowed }) => {
  const submission = { agentId: params.id, draft: body, idempotencyKey: readIdempotencyKey(request) };
  const run = await runWhileAllowed({ signal, isStillAllowed }, (until) => startRun(actor, { ...submission, signal: until }));
  return reply(run, toRunStatus(run));
});
