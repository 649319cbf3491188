import "server-only";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Actor, requirePermission } from "@/server/auth/actor";
import { actorFromRequest } from "@/server/auth/actor-from-request";
import { eventStream } from "@/server/endpoints/event-stream";
import { echoTrace, readRequestId, usableTraceparent } from "@/server/http/request-id";
import { problemResponse } from "@/server/http/steps/problem";
import { readJsonBody } from "@/server/http/steps/read-input";
import { TextResponse } from "@/server/http/text-response";
import { withoutNulls } from "@/server/mcp/connect/transport/read-messages";
import { AppError, type ErrorCode, errorStatuses, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { cancelRequests } from "./call/cancel-request";
import { readHandle } from "./client/client-conversation";
import { takeReplies } from "./client/client-replies";
import { type McpClient, type McpSession, readClientFacts, readMetaFacts } from "./client/mcp-client";
import { endSession, findSession, newSessionToken, openSession } from "./client/sessions";
import { type ClientNews, clientNews } from "./listing/listing-changes";
import { makeServer, messagesOf, type Reach } from "./make-server";
import { refuseForeignHost } from "./refuse-foreign-host";
import { actorFromAccessToken } from "./sign-in/actor-from-access-token";
import { resourceMetadataUrl } from "./sign-in/metadata";

const sessionHeader = "mcp-session-id";

/**
 * Answers a request at /mcp: the tools of the key's agent for MCP clients, of the revisions up to 2025-11-25 (with sessions)
 * and of 2026-07-28 (without). Every request has a server of its own, so that any replica can answer it.
 */
export async function handleMcp(request: Request): Promise<Response> {
  const requestId = readRequestId(request);
  try {
    refuseForeignHost(request);
    const actor = await admitted(request, requestId);
    const response = await asText(await answer(request, await clientOf(request, actor, requestId)));
    response.headers.set("x-request-id", requestId);
    return echoTrace(request, response);
  } catch (error) {
    const refused = problemResponse(error, requestId, request);
    // A client without credentials finds from here where its user signs in (RFC 9728, 5.1).
    const reason = request.headers.has("authorization") ? 'error="invalid_token", ' : "";
    if (refused.status === 401)
      refused.headers.set("www-authenticate", `Bearer ${reason}resource_metadata="${resourceMetadataUrl(request)}"`);
    return echoTrace(request, refused);
  }
}

/** Takes a JSON answer into memory, where it is already: as a stream it would cost more than its making. */
async function asText(response: Response): Promise<Response> {
  if (response instanceof TextResponse || response.headers.get("content-type") !== "application/json") return response;
  return new TextResponse(await response.text(), { status: response.status, headers: Object.fromEntries(response.headers) });
}

/** Cookies do not count: a browser adds them to requests of any page. @throws AppError `unauthenticated`, `forbidden` */
async function admitted(request: Request, requestId: string): Promise<Actor> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization")?.trim() ?? "")?.[1];
  const actor = token ? ((await actorFromAccessToken(token, requestId)) ?? (await actorOfCredential(token, request, requestId))) : null;
  if (!actor) throw new AppError("unauthenticated", "Sign in with OAuth, or send an API key of Handrail: Authorization: Bearer hr_...");
  return requirePermission(requirePermission({ ...actor, via: { kind: "mcp", name: null } }, "tools:read"), "turns:write");
}

/** @throws AppError `unauthenticated` with the way out for a client: the sentence for tokens of the API would mislead it */
async function actorOfCredential(token: string, request: Request, requestId: string): Promise<Actor | null> {
  try {
    return await actorFromRequest(request, requestId);
  } catch (error) {
    if (token.startsWith("hr_") || !isAppError(error) || error.code !== "unauthenticated") throw error;
    throw new AppError("unauthenticated", "This token is not valid any more. Renew it, or sign in again in the client.");
  }
}

async function clientOf(request: Request, actor: Actor, requestId: string): Promise<McpClient> {
  return {
    actor,
    isStateless: false,
    session: null,
    handle: readHandle(request.headers.get("handrail-conversation")),
    logLevel: null,
    ...readClientFacts(null, null),
    traceparent: usableTraceparent(request.headers.get("traceparent")),
    signal: request.signal,
    isStillAllowed: () =>
      admitted(request, requestId).then(
        () => true,
        // A database outage, for example, proves nothing about permissions.
        (error) => !(isAppError(error) && (error.code === "unauthenticated" || error.code === "forbidden")),
      ),
  };
}

async function answer(request: Request, client: McpClient): Promise<Response> {
  const token = request.headers.get(sessionHeader);
  switch (request.method) {
    case "GET":
      return answerStream(request, client, token);
    case "DELETE":
      if (token === null) return refusal(400, -32_000, "Send the session to end: Mcp-Session-Id.");
      return (await endSession(client.actor, token)) ? new Response(null, { status: 204 }) : sessionNotFound();
    default:
      return answerMessages(request, client, token);
  }
}

/** Errors of the protocol for bodies that are not read, so that the id of their request is not known. */
const bodyRefusals: Partial<Record<ErrorCode, number>> = { malformed: -32_700, too_large: -32_600, invalid: -32_600 };

async function answerMessages(request: Request, client: McpClient, token: string | null): Promise<Response> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    return refusal(415, -32_000, "Send JSON: Content-Type: application/json");
  }
  const read = await readJsonBody(request).then(
    (body) => ({ body }),
    (error) => (isAppError(error) && error.code in bodyRefusals ? { refused: error } : Promise.reject(error)),
  );
  if ("refused" in read) return refusal(errorStatuses[read.refused.code], bodyRefusals[read.refused.code] ?? -32_600, read.refused.message);
  const body = Array.isArray(read.body) ? read.body.map(withoutNulls) : withoutNulls(read.body);
  // The SDK reads headers and signal only; the body has been read already.
  const bare = new Request(request.url, { method: "POST", headers: request.headers, signal: request.signal });
  if (!(await isLegacyRequest(bare, body))) {
    const stateless = { ...client, ...readMetaFacts(body), isStateless: true };
    return createMcpHandler(() => makeServer(stateless, body), { legacy: "reject", bus: newsBus(stateless, body) }).fetch(bare, {
      parsedBody: body,
    });
  }
  if (isInitializeRequest(body)) return initialize(bare, body, client);
  const session = token === null ? null : await findSession(client.actor, token);
  if (token !== null && !session) return sessionNotFound();
  const known = session ? inSession(client, session) : client;
  await takeReplies(known, messagesOf(body));
  await cancelRequests(known, messagesOf(body));
  return exchange(bare, body, known, undefined);
}

function inSession(client: McpClient, session: McpSession): McpClient {
  const { clientName: name, opensUrls, answers, logLevel } = session;
  return { ...client, session, name, opensUrls, answers, logLevel };
}

async function initialize(request: Request, body: Parameters<typeof isInitializeRequest>[0], client: McpClient): Promise<Response> {
  const { params } = body as { params: { clientInfo: unknown; capabilities: unknown } };
  const facts = readClientFacts(params.clientInfo, params.capabilities);
  const token = newSessionToken();
  await openSession(client.actor, token, facts);
  return exchange(request, body, { ...client, ...facts }, token);
}

/** Answers messages of a 2025 revision with a transport of their own: JSON, or an event stream for what comes before the answer. */
async function exchange(request: Request, body: unknown, client: McpClient, newToken: string | undefined): Promise<Response> {
  const errorCodes = new Map<string | number, number>();
  const reach: Reach = { errorCodes };
  const server = await makeServer(client, body, reach);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: newToken === undefined ? undefined : () => newToken,
    enableJsonResponse: !messagesOf(body).some((message) => asksForProgress(message) || mayBeAsked(client, message)),
  });
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(withSentCode(message, errorCodes), options);
  reach.send = (message, relatedRequestId) => transport.send({ jsonrpc: "2.0", ...message }, { relatedRequestId });
  transport.onerror = (error) => log().debug({ err: error }, "an MCP request was refused");
  await server.connect(transport);
  const end = () => void server.close().catch((error) => log().debug({ err: error }, "an MCP exchange did not close"));
  request.signal.addEventListener("abort", end, { once: true });
  const response = await transport.handleRequest(request, { parsedBody: body });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) end();
  return response;
}

/** Restores the code of an upstream's error: the SDK writes that of revision 2026-07-28 for clients of every revision. */
function withSentCode(message: JSONRPCMessage, codes: ReadonlyMap<string | number, number>): JSONRPCMessage {
  const code = "error" in message && message.id !== undefined ? codes.get(message.id) : undefined;
  return "error" in message && code !== undefined ? { ...message, error: { ...message.error, code } } : message;
}

function asksForProgress(message: unknown): boolean {
  const meta = (message as { params?: { _meta?: { progressToken?: unknown } } } | null)?.params?._meta;
  return meta?.progressToken !== undefined;
}

/** A call during which its client may be asked or told something. */
function mayBeAsked({ answers, logLevel }: McpClient, message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === "tools/call" && (answers.length > 0 || logLevel !== null);
}

/** Streams the server's own notifications to a session. */
async function answerStream(request: Request, client: McpClient, token: string | null): Promise<Response> {
  if (!request.headers.get("accept")?.includes("text/event-stream")) return refusal(406, -32_000, "Send Accept: text/event-stream");
  if (token === null) return refusal(405, -32_000, "A stream belongs to a session. Send Mcp-Session-Id.", { allow: "POST" });
  const session = await findSession(client.actor, token);
  if (!session) return sessionNotFound();
  return eventStream(client, (until) => notifications(inSession(client, session), until));
}

async function* notifications(client: McpClient, until: AbortSignal) {
  for await (const news of clientNews(client, until)) {
    yield { event: "message", data: { jsonrpc: "2.0", ...messageOf(news) } };
  }
}

function messageOf(news: ClientNews): { method: string; params?: object } {
  switch (news.kind) {
    case "tools_changed":
      return { method: "notifications/tools/list_changed" };
    case "approval_decided":
      return { method: "notifications/elicitation/complete", params: { elicitationId: news.approvalId } };
    case "contents_changed":
      return news.change.kind === "resource"
        ? { method: "notifications/resources/updated", params: { uri: news.change.uri } }
        : { method: `notifications/${news.change.kind}/list_changed` };
  }
}

/** The source of the SDK's `subscriptions/listen` streams: one client's news, from all replicas. */
function newsBus(client: McpClient, body: unknown): ServerEventBus {
  return {
    publish: () => {},
    subscribe: (listener) => {
      const ended = new AbortController();
      const until = AbortSignal.any([ended.signal, client.signal]);
      const listen = async () => {
        for await (const news of clientNews(client, until, subscribedUris(body))) {
          if (news.kind === "tools_changed") listener({ kind: "tools_list_changed" });
          else if (news.kind === "contents_changed")
            listener(
              news.change.kind === "resource"
                ? { kind: "resource_updated", uri: news.change.uri }
                : { kind: `${news.change.kind}_list_changed` },
            );
        }
      };
      listen().catch((error) => log().warn({ err: error }, "an MCP subscription ended"));
      return () => ended.abort();
    },
  };
}

const Subscriptions = z.object({ params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()).max(200) }) }) });

/** The resources that a `subscriptions/listen` request follows. */
function subscribedUris(body: unknown): string[] {
  const request = Subscriptions.safeParse(body);
  return request.success ? request.data.params.notifications.resourceSubscriptions : [];
}

const sessionNotFound = () => refusal(404, -32_001, "Session not found. Send initialize again without Mcp-Session-Id.");

function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
  return new TextResponse(text, { status, headers: { "content-type": "application/json", "cache-control": "no-store", ...headers } });
}
