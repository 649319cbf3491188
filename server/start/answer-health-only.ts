import "server-only";
import * as live from "@/app/api/v1/health/live/route";
import * as ready from "@/app/api/v1/health/ready/route";
import { healthEndpoints } from "@/contracts/health";
import { fastLane } from "@/server/http/fast-lane";
import { noSuchEndpoint } from "@/server/http/problem";
import { sendResponse } from "@/server/http/send-response";
import type { Answering } from "./serve";

/** What a worker answers: whether it lives and can work, and nothing else. It needs no Next for that. */
export function answerHealthOnly(): Answering {
  const isAnswered = fastLane({ [healthEndpoints.live.path]: live, [healthEndpoints.ready.path]: ready });
  return {
    answer: async (request, response) => {
      if (isAnswered(request, response)) return;
      // Only the path is used; the host that a caller claims does not matter.
      await sendResponse(noSuchEndpoint(new Request(new URL(request.url ?? "/", "http://worker"))), request, response);
    },
    close: async () => {},
  };
}
