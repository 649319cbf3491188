import "server-only";
import * as openapi from "@/app/api/v1/openapi.json/route";
import * as mcp from "@/app/mcp/route";
import { routes } from "@/server/api/routes";
import { fastLane } from "@/server/http/fast-lane";
import type { Answering } from "./serve";

/** Answers requests of the API and of MCP clients by calling their handlers, and passes all other requests to `others`. */
export function answerApiBefore(others: Answering): Answering {
  const isAnswered = fastLane({ ...routes, "/api/v1/openapi.json": openapi, "/mcp": mcp });
  return {
    ...others,
    answer: (request, response) => {
      if (!isAnswered(request, response)) return others.answer(request, response);
    },
  };
}
