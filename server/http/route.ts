import "server-only";
import type { Answer, Endpoint, Received } from "@/contracts/endpoint";
import type { Permission } from "@/contracts/permissions";
import type { Actor, Authorized } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import type { Reply } from "./reply";
import { echoTrace, readRequestId } from "./request-id";
import { authenticate, isNotARefusal } from "./steps/authenticate";
import { problemResponse } from "./steps/problem";
import { readInput } from "./steps/read-input";
import { writeAnswer } from "./steps/write-answer";

export { type Reply, reply } from "./reply";

type Handled<E extends Endpoint> = Received<E> & {
  /** The actor, checked for the endpoint's permission; for an open endpoint any actor or null. */
  actor: E["permission"] extends Permission ? Authorized<E["permission"]> : Actor | null;
  request: Request;
  requestId: string;
  signal: AbortSignal;
  /** Checks the same credentials again, for long answers such as streams. */
  isStillAllowed: () => Promise<boolean>;
};

/** The second argument of route handlers, in Next and in the fast lane. */
export type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/**
 * Makes a route from a handler: the one entrance of HTTP. Every request takes the same steps in a row: authenticate, read
 * the input, call the handler, write the answer; an error becomes a problem document.
 */
export function route<const E extends Endpoint>(
  endpoint: E,
  handler: (input: Handled<E>) => Promise<Answer<E> | Reply<Answer<E>> | Response>,
): (request: Request, context: RouteContext) => Promise<Response> {
  return async (request, context) => {
    const requestId = readRequestId(request);
    try {
      // Authentication comes first, so that strangers cannot make the server read and parse a body.
      const holder = await authenticate(endpoint, request, requestId);
      const isStillAllowed = () => authenticate(endpoint, request, requestId).then(() => true, isNotARefusal);
      const input = await readInput(endpoint, request, await context.params);
      const answer = await handler({ ...input, actor: holder, request, requestId, signal: request.signal, isStillAllowed } as Handled<E>);
      return echoTrace(request, writeAnswer(endpoint, answer, requestId));
    } catch (error) {
      return echoTrace(request, problemResponse(error, requestId, request));
    }
  };
}

/** Reads the version in `If-Match` on which a change is based; null when the caller sent none. */
export function versionMatched(request: Request): number | null {
  const header = request.headers.get("if-match");
  if (!header || header === "*") return null;
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1];
  if (!version) throw new AppError("malformed", 'If-Match takes the etag of the row as it was read, such as "3"');
  return Number(version);
}
