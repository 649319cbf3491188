import "server-only";
import { STATUS_CODES } from "node:http";
import type { Problem } from "@/contracts/common";
import { AppError, errorStatuses, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { holdsUnstorableText, isDatabaseAway } from "@/server/platform/sql-state";
import { requestIdOf } from "./request-id";
import { TextResponse } from "./text-response";

const unstorable = new AppError("invalid", "A text holds the character U+0000, which cannot be stored. Remove it.");

const databaseAway = new AppError(
  "unavailable",
  "The database cannot be reached at this moment. Send the request again; for a turn, with the same Idempotency-Key.",
  { retryAfterSeconds: 1 },
);

/** The RFC 9457 document of an error. What is not ours to explain becomes a 500 without details. */
export function problemResponse(error: unknown, requestId: string): Response {
  const known = isAppError(error) ? error : explained(error);
  if (!known) log().error({ requestId, err: error }, "request failed");
  const status = known ? errorStatuses[known.code] : 500;
  const problem: Problem = {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    code: known?.code ?? "internal",
    detail: known?.message ?? `Something went wrong here. Tell an admin this request id: ${requestId}`,
    requestId,
    ...(known?.details.errors ? { errors: known.details.errors } : {}),
  };
  return new TextResponse(JSON.stringify(problem), {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...(status === 401 ? { "www-authenticate": 'Bearer realm="handrail"' } : {}),
      ...(known?.details.retryAfterSeconds ? { "retry-after": String(Math.ceil(known.details.retryAfterSeconds)) } : {}),
    },
  });
}

function explained(error: unknown): AppError | null {
  if (holdsUnstorableText(error)) return unstorable;
  if (!isDatabaseAway(error)) return null;
  log().warn({ err: error }, "a request found no database");
  return databaseAway;
}

/** For addresses under /api that nobody serves. */
export function noSuchEndpoint(request: Request): Response {
  const { pathname } = new URL(request.url);
  return problemResponse(
    new AppError("not_found", `There is nothing at ${pathname}. See /docs/api for every endpoint.`),
    requestIdOf(request),
  );
}
