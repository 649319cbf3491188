import { expect } from "@playwright/test";
import { Problem } from "@/contracts/common";
import type { Endpoint, Got, Sending } from "@/contracts/endpoint";

type Options = { headers?: Record<string, string> };
type Arguments<E extends Endpoint> =
  Record<string, never> extends Sending<E> ? [sending?: Sending<E>, options?: Options] : [sending: Sending<E>, options?: Options];

/** Somebody who calls the API: a token, or nobody without one. */
export type Caller = {
  token: string | null;
  /** Sends anything at all; for what the types would not let through. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** The answer of a call that must succeed, checked against the contract. */
  call: <const E extends Endpoint>(endpoint: E, ...given: Arguments<E>) => Promise<Got<E>>;
  /** The same with status and headers. */
  send: <const E extends Endpoint>(endpoint: E, ...given: Arguments<E>) => Promise<Response>;
  /** The problem document of a call that must be refused. */
  refusal: <const E extends Endpoint>(endpoint: E, ...given: Arguments<E>) => Promise<Problem>;
};

export function caller(baseUrl: string, token: string | null): Caller {
  const request: Caller["fetch"] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (token && !headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
    return fetch(new URL(path, baseUrl), { redirect: "manual", ...init, headers });
  };
  const send: Caller["send"] = (endpoint, ...[sending, options]) => {
    const { params, query, body } = (sending ?? {}) as Parameters<typeof buildPath>[1] & { body?: unknown };
    return request(buildPath(endpoint.path, { params, query }), {
      method: endpoint.method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...options?.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return {
    token,
    fetch: request,
    send,
    async call<const E extends Endpoint>(endpoint: E, ...given: Arguments<E>) {
      const response = await send(endpoint, ...given);
      const text = await response.text();
      expect(response.ok, `${endpoint.method} ${endpoint.path} answered ${response.status}: ${text}`).toBe(true);
      return endpoint.response?.parse(JSON.parse(text)) as Got<E>;
    },
    refusal: async (endpoint, ...given) => readProblem(await send(endpoint, ...given)),
  };
}

/** The problem document of a refusal: RFC 9457, with our code, the request id of its header, and nothing internal. */
export async function readProblem(response: Response): Promise<Problem> {
  const text = await response.text();
  expect(response.headers.get("content-type"), `status ${response.status}: ${text}`).toContain("application/problem+json");
  const problem = Problem.parse(JSON.parse(text));
  expect(problem.status).toBe(response.status);
  expect(problem.requestId).toBe(response.headers.get("x-request-id"));
  expect(text, "a stack trace").not.toMatch(/\bat .+\.[cm]?[jt]sx?:\d+/);
  return problem;
}

/** A path of a contract with its parameters and query filled in. */
export function buildPath(
  template: string,
  { params = {}, query = {} }: { params?: Record<string, unknown>; query?: Record<string, unknown> } = {},
): string {
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const words = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
  return words.size > 0 ? `${path}?${words}` : path;
}
