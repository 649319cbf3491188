import { turnEndpoints } from "@/contracts/turns/turns";
import { answer } from "@/server/endpoints/answer";
import { eventStream } from "@/server/endpoints/event-stream";
import { reply } from "@/server/endpoints/reply";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import { usableTraceparent } from "@/server/http/request-id";
import { answerCall } from "@/server/turns/answers/answer-call";
import { promoteCall } from "@/server/turns/background/promote-call";
import { cancelTurn } from "@/server/turns/cancel-turn";
import { listRecentTurns } from "@/server/turns/read/list-recent-turns";
import { listTurns, readTurn, requireTurn } from "@/server/turns/read/load-turn";
import { isFullyStreamed, turnFeed } from "@/server/turns/read/turn-feed";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { submitTurn, toTurnStatus } from "@/server/turns/submit-turn";

export const turnAnswers = answer(turnEndpoints, {
  submit: async ({ actor, params, body, request, signal, isStillAllowed, idempotencyKey }) => {
    const traceparent = usableTraceparent(request.headers.get("traceparent"));
    const submission = { conversationId: params.id, draft: body, idempotencyKey, traceparent };
    const turn = await runWhileAllowed({ signal, isStillAllowed }, (until) => submitTurn(actor, { ...submission, signal: until }));
    return reply(turn, toTurnStatus(turn));
  },
  listOfConversation: ({ actor, params, query }) => listTurns(actor, params.id, query),
  list: ({ actor, query }) => listRecentTurns(actor, query),
  get: async ({ actor, params, query, signal, isStillAllowed }) => {
    await requireTurn(actor, params.id);
    if (query.wait === 0) return readTurn(params.id);
    return runWhileAllowed({ signal, isStillAllowed }, (until) => waitForTurn(params.id, query.wait, until));
  },
  events: async ({ actor, params, lastEventId, signal, isStillAllowed }) => {
    const last = lastEventId ?? 0;
    await requireTurn(actor, params.id);
    // Status 204 tells an EventSource to stop reconnecting.
    if (await isFullyStreamed(params.id, last)) return new Response(null, { status: 204 });
    return eventStream({ signal, isStillAllowed }, (until) => turnFeed(params.id, last, until));
  },
  answer: ({ actor, params, body }) => answerCall(actor, { turnId: params.id, callId: params.callId, ...body }),
  promote: ({ actor, params, signal }) => promoteCall(actor, params.id, params.callId, signal),
  cancel: ({ actor, params, signal }) => cancelTurn(actor, params.id, signal),
});
