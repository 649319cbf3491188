import "server-only";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import { type MediaClient, mediaClient } from "./media-client";
import type { MediaProvider } from "./provider";

type Access = { provider: MediaProvider; address: string; key: string };

/**
 * Creates the client of a provider. An admin named its address, so it may be private; files of its answers lie there, at
 * hosts that an admin allowed, or on the public internet.
 */
export function openClient({ provider, address, key }: Access, signal: AbortSignal, privateHosts: readonly string[]): MediaClient {
  const { hostname, port, protocol } = new URL(address);
  const own = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  return mediaClient({ address, key, authorize: provider.authorize, http: guardedHttp({ privateHosts: [...privateHosts, own] }), signal });
}
