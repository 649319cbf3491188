import { runEndpoints } from "@/contracts/runs";
import { eventStream } from "@/server/http/event-stream";
import { route } from "@/server/http/route";
import { AppError } from "@/server/platform/errors";
import { requireRun } from "@/server/runs/load-run";
import { isRunFullyStreamed, runFeed } from "@/server/runs/run-feed";

export const GET = route(runEndpoints.events, async ({ actor, params, request, signal, isStillAllowed }) => {
  const run = await requireRun(actor, params.id);
  const last = request.headers.get("last-event-id") ?? "0";
  if (!/^\d{1,9}$/.test(last)) throw new AppError("malformed", "Last-Event-ID takes the id of an event of this stream");
  // Status 204 tells an EventSource to stop reconnecting.
  if (isRunFullyStreamed(run, Number(last))) return new Response(null, { status: 204 });
  return eventStream({ signal, isStillAllowed }, (until) => runFeed(params.id, Number(last), until));
});
