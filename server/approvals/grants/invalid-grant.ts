import { AppError } from "@/server/platform/errors";

/** Returns the `invalid` error for a field of a grant. */
export function invalidGrant(path: string, message: string): AppError {
  return new AppError("invalid", message, { errors: [{ path, message }] });
}
