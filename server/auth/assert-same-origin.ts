import "server-only";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";

/**
 * Refuses changes that another site makes with the session cookie, because browsers add the cookie to requests from any
 * site. The browser sets the headers that name the origin, and a page cannot change those headers.
 * @throws AppError `foreign_origin`
 */
export function assertSameOrigin(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (request.headers.get("sec-fetch-site") === "same-origin") return;
  const origin = request.headers.get("origin");
  if (origin && URL.canParse(origin)) {
    const given = new URL(origin);
    if (given.origin === new URL(env().publicUrl).origin) return;
    if (given.host === request.headers.get("host")) return;
  }
  throw new AppError(
    "foreign_origin",
    "A signed-in browser may change things only from pages of this Handrail. Programs send an API key: Authorization: Bearer <key>",
  );
}
