import { workListEndpoints } from "@/contracts/work-lists";
import { answer } from "@/server/endpoints/answer";
import { getWorkList } from "./work-list/read-work-list";

export const workListAnswers = answer(workListEndpoints, {
  get: ({ actor, params }) => getWorkList(actor, params.id),
});
