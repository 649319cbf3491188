import { AppError } from "@/server/platform/errors";

/** The Idempotency-Key of a request: 1 to 200 visible ASCII characters; null when the caller did not send one. */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new AppError("malformed", "Idempotency-Key takes 1 to 200 visible ASCII characters, such as a UUID");
  }
  return key;
}
