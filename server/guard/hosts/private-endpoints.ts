import type { JsonObject } from "@/contracts/common";
import type { Effect } from "@/contracts/decisions/effects";
import { evidenceWords } from "../evidence-words";
import { splitHost, withPort } from "./locate-host";

const schemePorts: Readonly<Record<string, string>> = { http: "80", ws: "80", https: "443", wss: "443", ftp: "21", ssh: "22", git: "9418" };
const webPorts = ["80", "443"];

/**
 * Returns the endpoints, as `host:port`, of an effect's host. Without a port the URL's scheme says it; a name without a
 * scheme stands for the ports of the web.
 */
export function endpointsOf(effect: Effect, args: JsonObject): string[] {
  const { host } = effect.target;
  if (host === undefined) return [];
  const { name, port } = splitHost(host);
  if (port !== null) return [host];
  const schemes = [...evidenceWords(effect, args).matchAll(/\b([a-z][a-z0-9+.-]{1,20}):[/\\]{2}/gi)].map(([, scheme = ""]) => scheme);
  const ports = new Set(schemes.flatMap((scheme) => schemePorts[scheme.toLowerCase()] ?? []));
  return [...(ports.size > 0 ? ports : webPorts)].map((port) => withPort(name, port));
}

/** Returns the endpoints of a call's private hosts, which its approval opens. Metadata addresses are never among them. */
export function privateEndpoints(effects: readonly Effect[], args: JsonObject): string[] {
  return [...new Set(effects.filter(({ target }) => target.class === "private").flatMap((effect) => endpointsOf(effect, args)))];
}
