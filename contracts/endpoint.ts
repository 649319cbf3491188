import type { z } from "zod";
import type { Permission } from "./permissions";

/** `If-Match` takes the `etag` of the row that was read: a stale etag is answered 412 and nothing changes. */
export type RequestHeader = "Idempotency-Key" | "If-Match" | "Last-Event-ID";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * One endpoint of the REST API. Five readers share this value: the route, the typed fetch, the OpenAPI document,
 * the tests, and the enum columns of the database.
 */
export type Endpoint = {
  method: Method;
  /** Full path with `{name}` for each path parameter. */
  path: `/${string}`;
  summary: string;
  /** Permission that the caller must hold; `null` opens the endpoint to everybody. */
  permission: Permission | null;
  /** Ignores credentials, so that a wrong header never hides the health of the process from a probe. */
  ignoresCredentials?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /**
   * The address belongs to a standard whose other side adds query words of its own: unknown words are ignored here.
   * Every other endpoint refuses them by name, because an ignored filter answers everything.
   */
  queryIsForeign?: true;
  body?: z.ZodType;
  /** Media type of a body that is not sent as JSON. Without `body` the handler reads the bytes itself with `readRequestBytes`. */
  requestType?: string;
  /** Pages of other sites may read its refusals, which hold nothing secret. The handler says whose pages may read an answer. */
  isReadableElsewhere?: true;
  /** Largest body in bytes; 1 MiB when absent. */
  maxBodyBytes?: number;
  /**
   * Members of the body that hold text of a model. The endpoint itself handles characters there that the database
   * cannot store; everywhere else such characters are refused.
   */
  modelTexts?: readonly string[];
  /** Problem codes of single members of the body, each answered when no other member is wrong. */
  memberCodes?: Readonly<Record<string, "invalid_tier">>;
  /** Schema of a successful response. Absent: the route answers a stream or a file itself. */
  response?: z.ZodType;
  /** Media type of a response that is not JSON. */
  responseType?: string;
  /** Status of a success; 200 when absent. */
  status?: 200 | 201 | 202 | 204;
  /** Other statuses with the same body, each with its condition. */
  otherStatuses?: { 200?: string; 202?: string; 503?: string };
  /** The endpoint may answer 429 under load. */
  mayBeTooMany?: true;
  /** The address goes with the next version; the summary of its reference says what is used instead. */
  deprecated?: true;
  /** Request headers beside `Authorization` that the endpoint understands. */
  headers?: readonly RequestHeader[];
};

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** An endpoint as the browser holds it: without schemas, because zod is too large for every page. */
export type EndpointAddress<E extends Endpoint> = {
  method: E["method"];
  path: E["path"];
  /** Carries the endpoint's types; never set. */
  readonly definition?: E;
};
export type Addressed = Pick<Endpoint, "method" | "path"> & { readonly definition?: Endpoint };
/** The endpoint that belongs to an address; an endpoint is its own address. */
export type DefinitionOf<A extends Addressed> = A extends Endpoint ? A : NonNullable<A["definition"]>;
export type EndpointAddresses<Group> = { [Name in keyof Group]: Group[Name] extends Endpoint ? EndpointAddress<Group[Name]> : never };

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The parsed request that a handler receives. */
export type Received<E extends Endpoint> = {
  params: Output<E["params"]>;
  query: Output<E["query"]>;
  body: Output<E["body"]>;
};

/** The value that a handler returns. */
export type Answer<E extends Endpoint> = E["response"] extends z.ZodType ? z.input<E["response"]> : Response;

/** The response that a caller receives. */
export type Got<E extends Endpoint> = Output<E["response"]>;

type Part<Name extends string, S> = S extends z.ZodType
  ? Record<string, never> extends z.input<S>
    ? { [K in Name]?: Sent<S> }
    : { [K in Name]: Sent<S> }
  : unknown;

/** The request that a caller sends. */
export type Sending<E extends Endpoint> = Part<"params", E["params"]> & Part<"query", E["query"]> & Part<"body", E["body"]>;
