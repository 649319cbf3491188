import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/server/platform/errors";
import { problemResponse } from "./problem";
import { refuseMethod } from "./refuse-method";
import { usableRequestId } from "./request-id";
import { apiContentSecurityPolicy, securityHeaders } from "./security-headers";

/**
 * What every request meets first, whoever answers it afterwards: the answer gets its security headers, the request gets
 * the address that it really came from, and an address that cannot be read or a method that the API does not know is refused.
 * @returns true when the request has been answered.
 */
export function frontDoor(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "GET", headers } = request;
  const url = pathOnly(request.url ?? "/");
  request.url = url;
  const [path = "/"] = url.split("?", 1);
  const isPage = !/^\/(api|mcp)(\/|$)/.test(path);
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  if (!isPage) response.setHeader("content-security-policy", apiContentSecurityPolicy);
  noteAddress(request);

  const requestId = headers["x-request-id"];
  const refusal = path.startsWith("/api/v1/") ? (refuseAddress(path, requestId) ?? refuseMethod({ method, path, requestId })) : null;
  if (!refusal) return false;
  response.statusCode = refusal.status;
  response.setHeaders(refusal.headers);
  void refusal.text().then((text) => response.end(text));
  return true;
}

/** Who sends a whole address, as to a proxy, means its path: there is one Handrail here, whatever it is called. */
function pathOnly(url: string): string {
  return url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
}

/** Next would answer 500 to an address that cannot be decoded. */
function refuseAddress(path: string, requestId: unknown): Response | null {
  if (!path.includes("%")) return null;
  try {
    decodeURIComponent(path);
    return null;
  } catch {
    const refusal = new AppError("malformed", "The address holds a percent sign that begins no escape. Write a percent sign as %25.");
    return problemResponse(refusal, usableRequestId(requestId));
  }
}

/** Does what every proxy does: adds the address of the other end, so that the last entry is one that nobody could choose. */
function noteAddress(request: IncomingMessage): void {
  const given = request.headers["x-forwarded-for"];
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "unknown";
  request.headers["x-forwarded-for"] = given ? `${given}, ${address}` : address;
}
