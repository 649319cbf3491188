import "server-only";
import { healthAnswers } from "@/server/api/health";
import { fastLane } from "@/server/http/fast-lane";
import { toRoutes } from "@/server/http/routes";
import { sendResponse } from "@/server/http/send-response";
import { noSuchEndpoint } from "@/server/http/steps/problem";
import type { Answering } from "./serve";

/** Answers the health endpoints of a worker, without Next; any other path is not found. */
export function answerHealthOnly(): Answering {
  const isAnswered = fastLane(toRoutes(healthAnswers));
  return {
    answer: async (request, response) => {
      if (isAnswered(request, response)) return;
      // The request's own text is no address to parse: `//` would name a host.
      const address = new URL("http://worker");
      address.pathname = request.url ?? "/";
      await sendResponse(noSuchEndpoint(new Request(address)), request, response);
    },
    close: async () => {},
  };
}
