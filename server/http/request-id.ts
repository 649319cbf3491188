import { newId } from "@/server/platform/ids";

/** The id that a caller gave its request, when it is harmless to repeat; else a new one. */
export function usableRequestId(given: unknown): string {
  return typeof given === "string" && /^[\w.:-]{1,100}$/.test(given) ? given : newId();
}

export const requestIdOf = (request: Request): string => usableRequestId(request.headers.get("x-request-id"));
