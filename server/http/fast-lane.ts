import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Method } from "@/contracts/endpoint";
import { newId } from "@/server/platform/ids";
import { IncomingRequest } from "./incoming-request";
import { pathTree } from "./path-tree";
import type { RouteContext } from "./route";
import { sendResponse } from "./send-response";
import { problemResponse } from "./steps/problem";

type RouteHandler = (request: Request, context: RouteContext) => Response | Promise<Response>;

/** The exports of a `route.ts`. */
export type RouteModule = { readonly [M in Method]?: RouteHandler };

/**
 * Answers requests by calling the route functions directly, without the work that Next does for each request.
 *
 * @param routes by address as in the contracts
 * @returns a function that returns true when it answers the request. Next answers the other requests: pages, OPTIONS, and
 *   every path that needs decoding or normalizing, so that only Next interprets such paths
 */
export function fastLane(routes: Readonly<Record<string, RouteModule>>): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const find = pathTree(routes);
  return (incoming, outgoing) => {
    const { method = "GET", url = "/" } = incoming;
    const queryAt = url.indexOf("?");
    const found = find(queryAt < 0 ? url : url.slice(0, queryAt));
    const handler = found && handlerOf(found.value, method);
    if (!handler) return false;
    answer(handler, found.params, incoming, outgoing).catch(() => outgoing.destroy());
    return true;
  };
}

/** Returns the handler of a method. As in Next, GET also answers HEAD; the body is dropped later. */
function handlerOf(module: RouteModule, method: string): RouteHandler | undefined {
  switch (method) {
    case "GET":
    case "HEAD":
      return module.GET;
    case "POST":
    case "PUT":
    case "PATCH":
    case "DELETE":
      return module[method];
    default:
      return undefined;
  }
}

async function answer(
  handler: RouteHandler,
  params: Record<string, string>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  let response: Response;
  try {
    response = await handler(new IncomingRequest(incoming, outgoing), { params: Promise.resolve(params) });
  } catch (error) {
    response = problemResponse(error, newId());
  }
  await sendResponse(response, incoming, outgoing);
}
