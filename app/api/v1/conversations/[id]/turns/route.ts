import { turnEndpoints } from "@/contracts/turns";
import { readIdempotencyKey } from "@/server/http/idempotency-key";
import { usableTraceparent } from "@/server/http/request-id";
import { reply, route } from "@/server/http/route";
import { runWhileAllowed } from "@/server/http/run-while-allowed";
import { listTurns } from "@/server/turns/load-turn";
import { submitTurn, toTurnStatus } from "@/server/turns/submit-turn";

export const POST = route(turnEndpoints.submit, async ({ actor, params, body, request, signal, isStillAllowed }) => {
  const traceparent = usableTraceparent(request.headers.get("traceparent"));
  const submission = { conversationId: params.id, draft: body, idempotencyKey: readIdempotencyKey(request), traceparent };
  const turn = await runWhileAllowed({ signal, isStillAllowed }, (until) => submitTurn(actor, { ...submission, signal: until }));
  return reply(turn, toTurnStatus(turn));
});
export const GET = route(turnEndpoints.listOfConversation, ({ actor, params, query }) => listTurns(actor, params.id, query));
