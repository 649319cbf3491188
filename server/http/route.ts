import "server-only";
import type { Answer, Endpoint, Received } from "@/contracts/endpoint";
import type { Permission } from "@/contracts/permissions";
import { type Actor, type Authorized, requirePermission } from "@/server/auth/actor";
import { actorFromRequest } from "@/server/auth/actor-from-request";
import { AppError, isAppError } from "@/server/platform/errors";
import { problemResponse } from "./problem";
import { readInput } from "./read-input";
import { echoTrace, readRequestId } from "./request-id";
import { TextResponse } from "./text-response";

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

/** A handler's answer with a status or headers of its own. */
export type Reply<T> = { body: T; status?: number; headers?: Record<string, string> };
const replyMark = Symbol.for("handrail.reply");
export function reply<T>(body: T, options: { status?: number; headers?: Record<string, string> }): Reply<T> {
  return Object.assign({ body, ...options }, { [replyMark]: true as const });
}
function isReply(value: unknown): value is Reply<unknown> {
  return typeof value === "object" && value !== null && replyMark in value;
}

/** Makes a route from a handler. Every endpoint takes the same four steps: authenticate, parse, call, respond. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handler: (input: Handled<E>) => Promise<Answer<E> | Reply<Answer<E>> | Response>,
): (request: Request, context: RouteContext) => Promise<Response> {
  return async (request, context) => {
    const requestId = readRequestId(request);
    try {
      // Authentication comes first, so that strangers cannot make the server read and parse a body.
      const holder = await admitted(endpoint, request, requestId);
      const isStillAllowed = () => admitted(endpoint, request, requestId).then(() => true, isNotARefusal);
      const input = await readInput(endpoint, request, await context.params);
      const answer = await handler({ ...input, actor: holder, request, requestId, signal: request.signal, isStillAllowed } as Handled<E>);
      return echoTrace(request, toResponse(endpoint, answer, requestId));
    } catch (error) {
      return echoTrace(request, problemResponse(error, requestId, request));
    }
  };
}

/** @throws AppError `unauthenticated`, `forbidden` */
async function admitted({ permission, ignoresCredentials }: Endpoint, request: Request, requestId: string): Promise<Actor | null> {
  if (ignoresCredentials) return null;
  const actor = await actorFromRequest(request, requestId);
  if (!permission) return actor;
  if (!actor) throw new AppError("unauthenticated", "Send an API key or a token: Authorization: Bearer <token>");
  return requirePermission(actor, permission);
}

/** Tells whether an error is no refusal of access; a database outage, for example, proves nothing about permissions. */
function isNotARefusal(error: unknown): boolean {
  return !(isAppError(error) && (error.code === "unauthenticated" || error.code === "forbidden"));
}

function toResponse(endpoint: Endpoint, answer: unknown, requestId: string): Response {
  if (answer instanceof Response) {
    answer.headers.set("x-request-id", requestId);
    return answer;
  }
  const { body, status = endpoint.status ?? 200, headers = {} } = isReply(answer) ? answer : { body: answer };
  // Parsing the answer drops private columns and proves that the answer matches the contract.
  const checked = endpoint.response ? endpoint.response.parse(body) : body;
  return new TextResponse(JSON.stringify(checked), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...etagOf(checked),
      ...headers,
      "x-request-id": requestId,
    },
  });
}

function etagOf(body: unknown): Record<string, string> {
  const version = typeof body === "object" && body !== null && "version" in body ? body.version : null;
  return typeof version === "number" ? { etag: `"${version}"` } : {};
}

/** Reads the version in `If-Match` on which a change is based; null when the caller sent none. */
export function versionMatched(request: Request): number | null {
  const header = request.headers.get("if-match");
  if (!header || header === "*") return null;
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1];
  if (!version) throw new AppError("malformed", 'If-Match takes the etag of the row as it was read, such as "3"');
  return Number(version);
}
