import { turnEndpoints } from "@/contracts/turns";
import { idempotencyKeyOf } from "@/server/http/idempotency-key";
import { reply, route } from "@/server/http/route";
import { listTurns } from "@/server/turns/load-turn";
import { statusOf, submitTurn } from "@/server/turns/submit-turn";

export const POST = route(turnEndpoints.submit, async ({ actor, params, body, request, signal }) => {
  const submission = { conversationId: params.id, draft: body, idempotencyKey: idempotencyKeyOf(request), signal };
  const turn = await submitTurn(actor, submission);
  return reply(turn, statusOf(turn));
});
export const GET = route(turnEndpoints.listOfConversation, ({ actor, params, query }) => listTurns(actor, params.id, query));
