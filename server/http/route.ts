import "server-only";
import type { Answer, Endpoint, Received } from "@/contracts/endpoint";
import type { Permission } from "@/contracts/permissions";
import { type Actor, demand, type Holder } from "@/server/auth/actor";
import { actorOfRequest } from "@/server/auth/actor-of-request";
import { AppError, isAppError } from "@/server/platform/errors";
import { problemResponse } from "./problem";
import { readInput } from "./read-input";
import { requestIdOf } from "./request-id";
import { TextResponse } from "./text-response";

type Handled<E extends Endpoint> = Received<E> & {
  /** Checked for the endpoint's permission; for an open endpoint whoever asks, or nobody. */
  actor: E["permission"] extends Permission ? Holder<E["permission"]> : Actor | null;
  request: Request;
  requestId: string;
  signal: AbortSignal;
  /** For an answer that goes on for long: whether the same credentials would be let in now. */
  isStillAllowed: () => Promise<boolean>;
};

/** The second argument of Next's route handlers, and of ours without Next. */
export type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/** Sets what a handler cannot say with a value alone. */
export type Reply<T> = { body: T; status?: number; headers?: Record<string, string> };
const replyMark = Symbol.for("handrail.reply");
export function reply<T>(body: T, options: { status?: number; headers?: Record<string, string> }): Reply<T> {
  return Object.assign({ body, ...options }, { [replyMark]: true as const });
}
function isReply(value: unknown): value is Reply<unknown> {
  return typeof value === "object" && value !== null && replyMark in value;
}

/** Establish who asks, parse, call, respond: the same four steps for every endpoint. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handler: (input: Handled<E>) => Promise<Answer<E> | Reply<Answer<E>> | Response>,
): (request: Request, context: RouteContext) => Promise<Response> {
  return async (request, context) => {
    const requestId = requestIdOf(request);
    try {
      // The actor comes first, so that strangers cannot make us read and parse a body.
      const holder = await admitted(endpoint, request, requestId);
      const isStillAllowed = () => admitted(endpoint, request, requestId).then(() => true, isNotARefusal);
      const input = await readInput(endpoint, request, await context.params);
      const answer = await handler({ ...input, actor: holder, request, requestId, signal: request.signal, isStillAllowed } as Handled<E>);
      return toResponse(endpoint, answer, requestId);
    } catch (error) {
      return problemResponse(error, requestId);
    }
  };
}

/** @throws AppError `unauthenticated`, `forbidden` */
async function admitted({ permission }: Endpoint, request: Request, requestId: string): Promise<Actor | null> {
  const actor = await actorOfRequest(request, requestId);
  if (!permission) return actor;
  if (!actor) throw new AppError("unauthenticated", "Send an API key or a token: Authorization: Bearer <token>");
  return demand(actor, permission);
}

/** A database that is away says nothing about who may do what. */
function isNotARefusal(error: unknown): boolean {
  return !(isAppError(error) && (error.code === "unauthenticated" || error.code === "forbidden"));
}

function toResponse(endpoint: Endpoint, answer: unknown, requestId: string): Response {
  if (answer instanceof Response) {
    answer.headers.set("x-request-id", requestId);
    return answer;
  }
  const { body, status = endpoint.status ?? 200, headers = {} } = isReply(answer) ? answer : { body: answer };
  // Parsing our own answer keeps private columns in and promises kept.
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

/** The version that a change was made from, out of `If-Match`; null when the caller did not say. */
export function versionMatched(request: Request): number | null {
  const header = request.headers.get("if-match");
  if (!header || header === "*") return null;
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1];
  if (!version) throw new AppError("malformed", 'If-Match takes the etag of the row as it was read, such as "3"');
  return Number(version);
}
