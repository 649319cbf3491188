/** Error codes for programs, each with its HTTP status. */
export const errorStatuses = {
  malformed: 400,
  invalid_tier: 400,
  unauthenticated: 401,
  wrong_credentials: 401,
  forbidden: 403,
  foreign_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  already_decided: 409,
  tier_locked: 409,
  idempotency_mismatch: 409,
  stale_version: 412,
  too_large: 413,
  invalid: 422,
  too_many_requests: 429,
  timed_out: 504,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof errorStatuses;

export type FieldError = { path: string; message: string };

const mark = Symbol.for("handrail.AppError");

/** The one error class: a code for programs, and a sentence for people that says what to do next. */
export class AppError extends Error {
  readonly [mark] = true;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: { errors?: FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = "AppError";
  }
}

/** Recognises an AppError by its mark: each bundle has its own copy of the class, so `instanceof` would miss some. */
export function isAppError(error: unknown): error is AppError {
  return typeof error === "object" && error !== null && mark in error;
}

/** Returns the message of an error of any kind. */
export function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
