import type { Answer, Endpoint, Received } from "@/contracts/endpoint";
import type { Permission } from "@/contracts/permissions";
import type { Actor, Authorized } from "@/server/auth/actor";
import type { Reply } from "./reply";

/** Whether an endpoint's contract names a request header. */
type Reads<E extends Endpoint, Header extends string> = E["headers"] extends readonly (infer Named)[]
  ? Header extends Named
    ? true
    : false
  : false;

/** The headers that the contract names, parsed; null when the caller sent none. */
type HeaderValues<E extends Endpoint> = (Reads<E, "If-Match"> extends true ? { version: number | null } : unknown) &
  (Reads<E, "Idempotency-Key"> extends true ? { idempotencyKey: string | null } : unknown) &
  (Reads<E, "Last-Event-ID"> extends true ? { lastEventId: number | null } : unknown);

/** A request that was authenticated, checked and parsed, as its handler receives it. */
export type Handled<E extends Endpoint> = Received<E> &
  HeaderValues<E> & {
    /** The actor, checked for the endpoint's permission; for an open endpoint any actor or null. */
    actor: E["permission"] extends Permission ? Authorized<E["permission"]> : Actor | null;
    request: Request;
    requestId: string;
    signal: AbortSignal;
    /** Checks the same credentials again, for long answers such as streams. */
    isStillAllowed: () => Promise<boolean>;
  };

/** Resolves to the answer; a handler whose answer has no members may resolve to nothing. */
export type Handler<E extends Endpoint> = (input: Handled<E>) => Promise<Answer<E> | Reply<Answer<E>> | Response> | WithoutValue<E>;
type WithoutValue<E extends Endpoint> = [Answer<E>] extends [Record<string, never>] ? Promise<void> : never;

/** An endpoint of the contracts with the function that answers it. */
export type AnsweredEndpoint = { endpoint: Endpoint; handler: (input: Handled<Endpoint>) => Promise<unknown> };

/**
 * Binds the endpoints of a contract to the functions of the room that answers them. A missing handler or one without an
 * endpoint does not compile. `server/api/answers.ts` and the families hand the bindings to the one entrance of HTTP.
 */
export function answer<Group extends Record<string, Endpoint>>(
  endpoints: Group,
  handlers: { [Name in keyof Group]: Handler<Group[Name]> },
): readonly AnsweredEndpoint[] {
  return Object.entries(endpoints).map(([name, endpoint]) => ({
    endpoint,
    handler: handlers[name] as AnsweredEndpoint["handler"],
  }));
}
