import "server-only";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";

/**
 * Browsers add the session cookie to what other sites make them send, too. So a request that changes something, made
 * with the cookie, must come from a page of ours; the browser says where it came from, and a page cannot change that.
 * @throws AppError `foreign_origin`
 */
export function demandOwnOrigin(request: Request): void {
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
