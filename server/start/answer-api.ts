import "server-only";
import { routes } from "@/app/api/v1/routes";
import * as mcp from "@/app/mcp/route";
import { fastLane } from "@/server/http/fast-lane";
import type { Answering } from "./serve";

/** Answers requests of the API and of MCP clients by calling their route functions, and passes all other requests to `others`. */
export function answerApiBefore(others: Answering): Answering {
  const isAnswered = fastLane({ ...routes, "/mcp": mcp });
  return {
    ...others,
    answer: (request, response) => {
      if (!isAnswered(request, response)) return others.answer(request, response);
    },
  };
}
