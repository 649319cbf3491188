import { AppError } from "@/server/platform/errors";

/** The refusal of a grant, with the field that is wrong. */
export function invalid(path: string, message: string): AppError {
  return new AppError("invalid", message, { errors: [{ path, message }] });
}
