import type { Endpoint, Got, Sending } from "@/contracts/endpoint";
import { readProblem } from "./api-problem";

type Sent = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
type Options = {
  signal?: AbortSignal;
  /** Version of the row that the change was made from; a newer one on the server answers 412. */
  version?: number;
};

/**
 * Calls one endpoint of the REST API with the session of the browser.
 * @throws ApiProblem when the API refuses; TypeError when the server cannot be reached.
 */
export async function call<const E extends Endpoint>(endpoint: E, sending: Sending<E>, options: Options = {}): Promise<Got<E>> {
  const { params = {}, query = {}, body } = sending as Sent;
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (options.version !== undefined) headers.set("if-match", `"${options.version}"`);
  const response = await fetch(addressOf(endpoint.path, params, query), {
    method: endpoint.method,
    headers,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  if (!response.ok) throw await readProblem(response);
  return endpoint.response?.parse(await response.json()) as Got<E>;
}

/** Path with its parameters filled in and its query; what is undefined is left out. */
export function addressOf(path: string, params: Record<string, unknown>, query: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (given.length === 0) return filled;
  return `${filled}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
