import type { Endpoint, RequestHeader } from "@/contracts/endpoint";
import { AppError } from "@/server/platform/errors";

/** Reads the request headers that a contract names; null for those that the caller did not send. @throws AppError `malformed` */
export function readHeaders({ headers: named = [] }: Pick<Endpoint, "headers">, sent: Headers): Record<string, string | number | null> {
  return Object.assign({}, ...named.map((name) => readers[name](sent.get(name))));
}

const readers: Record<RequestHeader, (sent: string | null) => Record<string, string | number | null>> = {
  "If-Match": (sent) => ({ version: readVersion(sent) }),
  "Idempotency-Key": (sent) => ({ idempotencyKey: readIdempotencyKey(sent) }),
  "Last-Event-ID": (sent) => ({ lastEventId: readEventId(sent) }),
};

/** The version on which a change is based. */
function readVersion(sent: string | null): number | null {
  if (!sent || sent === "*") return null;
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(sent.trim())?.[1];
  if (!version) throw new AppError("malformed", 'If-Match takes the etag of the row as it was read, such as "3"');
  return Number(version);
}

/** 1 to 200 visible ASCII characters. */
function readIdempotencyKey(sent: string | null): string | null {
  if (sent === null || /^[\x21-\x7e]{1,200}$/.test(sent)) return sent;
  throw new AppError("malformed", "Idempotency-Key takes 1 to 200 visible ASCII characters, such as a UUID");
}

/** The last event that a reader of a stream has seen. */
function readEventId(sent: string | null): number | null {
  if (sent === null) return null;
  if (!/^\d{1,15}$/.test(sent)) throw new AppError("malformed", "Last-Event-ID takes the id of an event of this stream");
  return Number(sent);
}
