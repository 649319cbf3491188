import { AppError } from "@/server/platform/errors";

/** Checks that a span of time has a moment in it. @throws AppError `invalid` */
export function assertSpan({ from, to }: { from?: string | null | undefined; to?: string | null | undefined }): void {
  if (from == null || to == null || Date.parse(from) < Date.parse(to)) return;
  throw new AppError("invalid", "`from` must be before `to`.", { errors: [{ path: "from", message: "must be before `to`" }] });
}
