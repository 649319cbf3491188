import type { z } from "zod";
import type { Permission } from "./permissions";

/** `If-Match` takes the `etag` of the row as it was read: a stale one is answered 412 and nothing changes. */
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
  /** What the caller must hold; `null` is open to everybody. */
  permission: Permission | null;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Largest body in bytes; 1 MiB when not said. */
  maxBodyBytes?: number;
  /**
   * Members of the body that hold what a model wrote: texts in them that the database cannot hold are the endpoint's own
   * to deal with. Everywhere else they are refused.
   */
  modelTexts?: readonly string[];
  /** What a success answers. Absent: the route answers a stream or a file itself. */
  response?: z.ZodType;
  /** Media type of an answer that is not JSON. */
  responseType?: string;
  /** Status of a success; 200 when not said. */
  status?: 200 | 201 | 202 | 204;
  /** Other statuses that answer the same body, each with when that is. */
  otherStatuses?: { 200?: string; 202?: string; 503?: string };
  /** Request headers beside `Authorization` that the endpoint understands. */
  headers?: readonly RequestHeader[];
};

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler receives from the wire, parsed. */
export type Received<E extends Endpoint> = {
  params: Output<E["params"]>;
  query: Output<E["query"]>;
  body: Output<E["body"]>;
};

/** What a handler gives back. */
export type Answer<E extends Endpoint> = E["response"] extends z.ZodType ? z.input<E["response"]> : Response;

/** What a caller gets. */
export type Got<E extends Endpoint> = Output<E["response"]>;

type Part<Name extends string, S> = S extends z.ZodType
  ? Record<string, never> extends z.input<S>
    ? { [K in Name]?: Sent<S> }
    : { [K in Name]: Sent<S> }
  : unknown;

/** What a caller sends. */
export type Sending<E extends Endpoint> = Part<"params", E["params"]> & Part<"query", E["query"]> & Part<"body", E["body"]>;
