import type { Endpoint, Got, Sending } from "@/contracts/endpoint";
import { addressOf, type SendingArguments } from "./address-of";
import { readProblem } from "./api-problem";

type CallOptions = {
  signal?: AbortSignal;
  /** Version of the row that the change was made from; a newer one on the server answers 412. */
  version?: number;
};
type CallArguments<E extends Endpoint> =
  Record<string, never> extends Sending<E> ? [sending?: Sending<E>, options?: CallOptions] : [sending: Sending<E>, options?: CallOptions];

/**
 * Calls one endpoint of the REST API with the session of the browser.
 * @throws ApiProblem when the API refuses; TypeError when the server cannot be reached.
 */
export async function call<const E extends Endpoint>(endpoint: E, ...[sending, options]: CallArguments<E>): Promise<Got<E>> {
  const { body } = (sending ?? {}) as { body?: unknown };
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (options?.version !== undefined) headers.set("if-match", `"${options?.version}"`);
  const response = await fetch(addressOf(endpoint, ...([sending] as SendingArguments<E>)), {
    method: endpoint.method,
    headers,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options?.signal ? { signal: options.signal } : {}),
  });
  if (!response.ok) throw await readProblem(response);
  return endpoint.response?.parse(await response.json()) as Got<E>;
}
