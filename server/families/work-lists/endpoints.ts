import { workListEndpoints } from "@/contracts/conversations/work-lists";
import { answer } from "@/server/endpoints/answer";
import { getWorkList } from "./read-work-list";

export const workListAnswers = answer(workListEndpoints, {
  get: ({ actor, params }) => getWorkList(actor, params.id),
});
