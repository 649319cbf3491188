import "server-only";
import type { Endpoint } from "@/contracts/endpoint";
import type { Handled } from "@/server/endpoints/answer";
import { echoTrace, readRequestId } from "./request-id";
import { authenticate, isNotARefusal } from "./steps/authenticate";
import { problemResponse } from "./steps/problem";
import { readHeaders } from "./steps/read-headers";
import { readInput } from "./steps/read-input";
import { writeAnswer } from "./steps/write-answer";

/** The second argument of route handlers, in Next and in the fast lane. */
export type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/**
 * Makes a route from a handler: the one entrance of HTTP. Every request takes the same steps in a row: authenticate, read
 * the input, call the handler, write the answer; an error becomes a problem document.
 */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: (input: Handled<E>) => Promise<unknown>,
): (request: Request, context: RouteContext) => Promise<Response> {
  return async (request, context) => {
    const requestId = readRequestId(request);
    try {
      // Authentication comes first, so that strangers cannot make the server read and parse a body.
      const holder = await authenticate(endpoint, request, requestId);
      const isStillAllowed = () => authenticate(endpoint, request, requestId).then(() => true, isNotARefusal);
      const input = await readInput(endpoint, request, await context.params);
      const headers = readHeaders(endpoint, request.headers);
      const about = { actor: holder, request, requestId, signal: request.signal, isStillAllowed };
      const answer = await handler({ ...input, ...headers, ...about } as Handled<E>);
      return echoTrace(request, writeAnswer(endpoint, answer, requestId));
    } catch (error) {
      const refusal = problemResponse(error, requestId, request);
      if (endpoint.isReadableElsewhere) refusal.headers.set("access-control-allow-origin", "*");
      return echoTrace(request, refusal);
    }
  };
}
