import type { Addressed, DefinitionOf, Endpoint, Got, Sending } from "@/contracts/endpoint";
import { readProblem } from "./api-problem";
import { connection } from "./connection";
import { endpointAddress, type SendingArguments } from "./endpoint-address";

type CallOptions = {
  signal?: AbortSignal;
  /** The browser finishes the request even when the page is left. */
  keepalive?: boolean;
  /** Version of the edited row; the API answers 412 when the stored row is newer. */
  version?: number;
  /** Makes a repetition of the submission return the first response. */
  idempotencyKey?: string;
};
type CallArguments<E extends Endpoint> =
  Record<string, never> extends Sending<E> ? [sending?: Sending<E>, options?: CallOptions] : [sending: Sending<E>, options?: CallOptions];

/**
 * Calls one endpoint of the REST API with the session of the browser.
 * @throws ApiProblem when the API refuses; TypeError when the server cannot be reached.
 */
export async function call<const A extends Addressed>(
  endpoint: A,
  ...[sending, options]: CallArguments<DefinitionOf<A>>
): Promise<Got<DefinitionOf<A>>> {
  const { body } = (sending ?? {}) as { body?: unknown };
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (options?.version !== undefined) headers.set("if-match", `"${options?.version}"`);
  if (options?.idempotencyKey !== undefined) headers.set("idempotency-key", options.idempotencyKey);
  const losses = connection.losses();
  const response = await fetch(endpointAddress(endpoint, ...([sending] as SendingArguments<DefinitionOf<A>>)), {
    method: endpoint.method,
    headers,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options?.signal ? { signal: options.signal } : {}),
    ...(options?.keepalive ? { keepalive: true } : {}),
  }).catch((error: unknown) => {
    if (!options?.signal?.aborted) connection.lost();
    throw error;
  });
  if (isAnswerOfAProxy(response)) connection.lost();
  else connection.reached(losses);
  if (!response.ok) throw await readProblem(response);
  // Not parsed again: the route validated the response, and zod is too large for every page.
  return (await response.json()) as Got<DefinitionOf<A>>;
}

/** Whether a proxy answered because the server behind it is gone. Refusals of the server itself are problem documents. */
function isAnswerOfAProxy({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.get("content-type")?.includes("json");
}
