import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/server/platform/errors";
import { refuseMethod } from "./refuse-method";
import { usableRequestId, usableTraceparent } from "./request-id";
import { apiContentSecurityPolicy, securityHeaders } from "./security-headers";
import { problemResponse } from "./steps/problem";

/**
 * Prepares every request before the API or Next answers it: sets the security headers, appends the client's real address
 * to `x-forwarded-for`, and refuses addresses that cannot be decoded and unknown methods.
 * @returns true when the request has been answered.
 */
export function prepareRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "GET", headers } = request;
  if (refuseMessage(request, response)) return true;
  const url = pathOnly(request.url ?? "/");
  request.url = url;
  const [path = "/"] = url.split("?", 1);
  const isPage = !/^\/(api|mcp|agent-hooks|connect|messengers\/[^/]+\/webhook)(\/|$)/.test(path);
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  if (!isPage) response.setHeader("content-security-policy", apiContentSecurityPolicy);
  noteAddress(request);

  const requestId = () => usableRequestId(headers["x-request-id"], headers.traceparent);
  const refusal = path.startsWith("/api/v1/") ? (refuseAddress(path, requestId) ?? refuseMethod({ method, path, requestId })) : null;
  if (!refusal) return false;
  const traceparent = usableTraceparent(headers.traceparent);
  if (traceparent) response.setHeader("traceparent", traceparent);
  response.statusCode = refusal.status;
  response.setHeaders(refusal.headers);
  void refusal.text().then((text) => response.end(text));
  return true;
}

/** Refuses ambiguous requests, which a proxy may read differently: no HTTP version, or more than one Host. */
function refuseMessage(request: IncomingMessage, response: ServerResponse): boolean {
  const hosts = request.rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === "host").length;
  if (request.httpVersionMajor >= 1 && hosts <= 1) return false;
  response.writeHead(400, { connection: "close", "content-type": "text/plain" });
  response.end(hosts > 1 ? "Send one Host header." : "Send an HTTP version.");
  return true;
}

/** Returns the path of an absolute request URL (as sent to a proxy). The host is ignored, because one Handrail answers. */
function pathOnly(url: string): string {
  return url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
}

/** Refuses an address that cannot be decoded, because Next would answer 500. */
function refuseAddress(path: string, requestId: () => string): Response | null {
  if (!path.includes("%")) return null;
  try {
    decodeURIComponent(path);
    return null;
  } catch {
    const refusal = new AppError("malformed", "The address holds a percent sign that begins no escape. Write a percent sign as %25.");
    return problemResponse(refusal, requestId());
  }
}

/** Appends the peer's address to `x-forwarded-for`, as proxies do, so that the client cannot choose the last entry. */
function noteAddress(request: IncomingMessage): void {
  const given = request.headers["x-forwarded-for"];
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "unknown";
  request.headers["x-forwarded-for"] = given ? `${given}, ${address}` : address;
}
