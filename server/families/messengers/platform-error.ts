/**
 * A request to a platform that failed. `rate`: the platform wants a pause. `refused`: another attempt would end the same way.
 * `unsent`: the platform never received it. `unknown`: it may have had its effect.
 */
export type PlatformFailure = "rate" | "refused" | "unsent" | "unknown";

export class PlatformError extends Error {
  readonly failure: PlatformFailure;
  /** Milliseconds that the platform wants to be left alone. */
  readonly retryAfterMs: number;
  /** The id that the chat has now. */
  readonly movedTo: string | null;

  constructor(
    failure: PlatformFailure,
    message: string,
    { retryAfterMs = 0, movedTo = null }: { retryAfterMs?: number; movedTo?: string | null } = {},
  ) {
    super(message);
    this.name = "PlatformError";
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
    this.movedTo = movedTo;
  }
}

export const failureOf = (error: unknown): PlatformFailure => (error instanceof PlatformError ? error.failure : "unknown");
