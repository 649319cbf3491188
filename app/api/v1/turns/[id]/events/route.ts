import { turnEndpoints } from "@/contracts/turns";
import { eventStream } from "@/server/http/event-stream";
import { route } from "@/server/http/route";
import { AppError } from "@/server/platform/errors";
import { requireTurn } from "@/server/turns/load-turn";
import { isFullyStreamed, turnFeed } from "@/server/turns/turn-feed";

export const GET = route(turnEndpoints.events, async ({ actor, params, request, signal, isStillAllowed }) => {
  await requireTurn(actor, params.id);
  const last = request.headers.get("last-event-id") ?? "0";
  if (!/^\d{1,15}$/.test(last)) throw new AppError("malformed", "Last-Event-ID takes the id of an event of this stream");
  // Status 204 tells an EventSource to stop reconnecting.
  if (await isFullyStreamed(params.id, Number(last))) return new Response(null, { status: 204 });
  return eventStream({ signal, isStillAllowed }, (until) => turnFeed(params.id, Number(last), until));
});
