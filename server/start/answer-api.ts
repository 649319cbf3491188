import "server-only";
import { routes } from "@/app/api/v1/routes";
import { fastLane } from "@/server/http/fast-lane";
import type { Answering } from "./serve";

/** The routes of the API, answered by their functions here; everything else is for another to answer. */
export function answerApiBefore(others: Answering): Answering {
  const isAnswered = fastLane(routes);
  return {
    ...others,
    answer: (request, response) => {
      if (!isAnswered(request, response)) return others.answer(request, response);
    },
  };
}
