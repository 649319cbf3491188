import { callEndpoints } from "@/contracts/calls/calls";
import { answer } from "@/server/endpoints/answer";
import { listRecentCalls } from "@/server/turns/read/list-recent-calls";

export const callAnswers = answer(callEndpoints, {
  list: ({ actor, query }) => listRecentCalls(actor, query),
});
