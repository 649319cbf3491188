import { AppError } from "@/server/platform/errors";

/** Reads the Idempotency-Key of a request: 1 to 200 visible ASCII characters; null when the caller sent none. */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new AppError("malformed", "Idempotency-Key takes 1 to 200 visible ASCII characters, such as a UUID");
  }
  return key;
}
