import { newId } from "@/server/platform/ids";

const idForm = /^[\w.:-]{1,100}$/;
/** The `traceparent` of W3C Trace Context: version, trace id, parent id, flags. All-zero ids are invalid. */
const traceForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]*)?$/;

/**
 * Returns the request id that the caller sent, when its characters are harmless. Otherwise returns the trace id of the
 * `traceparent`, so that the trace leads to log and audit, or a new id.
 */
export function usableRequestId(given: unknown, traceparent?: unknown): string {
  if (typeof given === "string" && idForm.test(given)) return given;
  return traceForm.exec(usableTraceparent(traceparent) ?? "")?.[1] ?? newId();
}

/** Returns the caller's `traceparent`; null when it is missing or malformed. */
export function usableTraceparent(given: unknown): string | null {
  return typeof given === "string" && given.length <= 200 && traceForm.test(given) ? given : null;
}

export const readRequestId = ({ headers }: Request): string => usableRequestId(headers.get("x-request-id"), headers.get("traceparent"));

/** Copies the request's trace into the answer. */
export function echoTrace({ headers }: Request, response: Response): Response {
  const traceparent = usableTraceparent(headers.get("traceparent"));
  if (traceparent !== null) response.headers.set("traceparent", traceparent);
  return response;
}
