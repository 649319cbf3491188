import type { Addressed, DefinitionOf, Endpoint, Sending } from "@/contracts/endpoint";

/** Arguments of a call; an endpoint without required input needs none. */
export type SendingArguments<E extends Endpoint> =
  Record<string, never> extends Sending<E> ? [sending?: Sending<E>] : [sending: Sending<E>];

/** Returns the address of an endpoint with its parameters filled in: for links, downloads and event streams. */
export function endpointAddress<const A extends Addressed>(endpoint: A, ...[sending]: SendingArguments<DefinitionOf<A>>): string {
  const { params, query } = (sending ?? {}) as { params?: Record<string, unknown>; query?: Record<string, unknown> };
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params?.[name])));
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== "") words.set(name, String(value));
  }
  return words.size > 0 ? `${path}?${words}` : path;
}
