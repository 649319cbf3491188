import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { GET as live } from "@/app/api/v1/health/live/route";
import { GET as ready } from "@/app/api/v1/health/ready/route";
import { healthEndpoints } from "@/contracts/health";
import { noSuchEndpoint } from "@/server/http/problem";
import type { Answering } from "./serve";

/** What a worker answers: whether it lives and can work, and nothing else. It needs no Next for that. */
export function answerHealthOnly(): Answering {
  return { answer: (request, response) => answer(request, response), close: async () => {} };
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  // Only the path is used; the host that a caller claims does not matter.
  const request = new Request(new URL(incoming.url ?? "/", "http://worker"), { method: "GET" });
  const response = await handlerOf(incoming.method, new URL(request.url).pathname)(request, { params: Promise.resolve({}) });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
}

function handlerOf(method: string | undefined, path: string): typeof live {
  if (method === "GET" && path === healthEndpoints.live.path) return live;
  if (method === "GET" && path === healthEndpoints.ready.path) return ready;
  return async (request) => noSuchEndpoint(request);
}
