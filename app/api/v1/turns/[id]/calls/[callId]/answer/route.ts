import { turnEndpoints } from "@/contracts/turns";
import { route } from "@/server/http/route";
import { answerCall } from "@/server/turns/answer-call";

export const POST = route(turnEndpoints.answer, ({ actor, params, body }) =>
  answerCall(actor, { turnId: params.id, callId: params.callId, ...body }),
);
