import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { refuseMethod } from "./refuse-method";
import { apiContentSecurityPolicy, securityHeaders } from "./security-headers";

/**
 * What every request meets first, whoever answers it afterwards: the answer gets its security headers, the request gets
 * the address that it really came from, and a method that the API does not know is refused.
 * @returns true when the request has been answered.
 */
export function frontDoor(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "GET", url = "/", headers } = request;
  const [path = "/"] = url.split("?", 1);
  const isPage = !/^\/(api|mcp)(\/|$)/.test(path);
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  if (!isPage) response.setHeader("content-security-policy", apiContentSecurityPolicy);
  noteAddress(request);

  const refusal = path.startsWith("/api/v1/") ? refuseMethod({ method, path, requestId: headers["x-request-id"] }) : null;
  if (!refusal) return false;
  response.statusCode = refusal.status;
  response.setHeaders(refusal.headers);
  void refusal.text().then((text) => response.end(text));
  return true;
}

/** Does what every proxy does: adds the address of the other end, so that the last entry is one that nobody could choose. */
function noteAddress(request: IncomingMessage): void {
  const given = request.headers["x-forwarded-for"];
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "unknown";
  request.headers["x-forwarded-for"] = given ? `${given}, ${address}` : address;
}
