import { overviewEndpoints } from "@/contracts/operations/overview";
import { answer } from "@/server/endpoints/answer";
import { getOverview } from "@/server/overview/get-overview";

export const overviewAnswers = answer(overviewEndpoints, {
  get: ({ actor, query }) => getOverview(actor, query.range),
});
