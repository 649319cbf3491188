/**
 * A request to a platform that failed. `rate`: the platform wants a pause. `refused`: another attempt would end the same way.
 * `unsent`: the platform never received it. `unknown`: it may have had its effect.
 */
export type PlatformFailure = "rate" | "refused" | "unsent" | "unknown";

export class PlatformError extends Error {
  readonly failure: PlatformFailure;
  /** Milliseconds that the platform wants to be left alone. */
  readonly retryAfterMs: number;

  constructor(failure: PlatformFailure, message: string, { retryAfterMs = 0 }: { retryAfterMs?: number } = {}) {
    super(message);
    this.name = "PlatformError";
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

export const failureOf = (error: unknown): PlatformFailure => (error instanceof PlatformError ? error.failure : "unknown");
