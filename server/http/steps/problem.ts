import "server-only";
import { STATUS_CODES } from "node:http";
import type { Problem } from "@/contracts/common";
import { explainWriteRefusal, holdsUnstorableText, isDatabaseAway } from "@/server/platform/database/sql-state";
import { AppError, errorStatuses, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { echoTrace, readRequestId, usableTraceparent } from "../request-id";
import { TextResponse } from "../text-response";

const unstorable = new AppError("invalid", "A text holds the character U+0000, which cannot be stored. Remove it.");

const databaseAway = new AppError(
  "unavailable",
  "The database cannot be reached at this moment. Send the request again; for a turn, with the same Idempotency-Key.",
  { retryAfterSeconds: 1 },
);

/** Converts an error to an RFC 9457 problem document. An unexpected error becomes a 500 without details. */
export function problemResponse(error: unknown, requestId: string, request?: Request): Response {
  const known = isAppError(error) ? error : explained(error);
  if (!known) {
    const traceparent = usableTraceparent(request?.headers.get("traceparent"));
    log().error({ requestId, ...(traceparent ? { traceparent } : {}), err: error }, "request failed");
  }
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
  if (!isDatabaseAway(error)) return notWritten(error);
  log().warn({ err: error }, "a request found no database");
  return databaseAway;
}

function notWritten(error: unknown): AppError | null {
  const reason = explainWriteRefusal(error);
  if (!reason) return null;
  log().error({ err: error }, "the database does not write");
  return new AppError(
    "unavailable",
    `The database does not write at this moment: ${reason}. Send the request again later; for a turn, with the same Idempotency-Key.`,
    { retryAfterSeconds: 1 },
  );
}

/** Answers 404 for addresses under /api and /mcp without a route. */
export function noSuchEndpoint(request: Request): Response {
  const { pathname } = new URL(request.url);
  const error = new AppError("not_found", `There is nothing at ${pathname}. See /docs/api for every endpoint.`);
  return echoTrace(request, problemResponse(error, readRequestId(request)));
}
