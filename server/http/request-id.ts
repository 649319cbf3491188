import { newId } from "@/server/platform/ids";

/** The id that a caller gave its request, when it is harmless to repeat; else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given && /^[\w.:-]{1,100}$/.test(given) ? given : newId();
}
