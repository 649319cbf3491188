import { splitHost } from "./locate-host";

/** Hosts that an admin lets calls reach without asking. */
export type AllowedHosts = {
  /** @param host as an effect names it: in small letters, with `:port` where the call names one */
  covers: (host: string) => boolean;
  isEmpty: boolean;
};

export const noAllowedHosts: AllowedHosts = { covers: () => false, isEmpty: true };

/**
 * Compiles the list of allowed hosts. An entry is a name, an address or `*.name`, each with or without `:port`. An
 * entry without a port covers the ports of http and https. Only an entry with a port covers a private address.
 */
export function compileAllowedHosts(entries: readonly string[]): AllowedHosts {
  if (entries.length === 0) return noAllowedHosts;
  // Effects name an IPv6 address without brackets where no port follows.
  const exact = new Set(entries.filter((entry) => !entry.startsWith("*.")).map((entry) => entry.replace(/^\[(.*)\]$/, "$1")));
  const suffixes = entries.filter((entry) => entry.startsWith("*.")).map((entry) => entry.slice(1));
  const covers = (host: string): boolean => exact.has(host) || suffixes.some((suffix) => host.endsWith(suffix));
  return { isEmpty: false, covers: (host) => covers(host) || covers(withoutWebPort(host)) };
}

function withoutWebPort(host: string): string {
  const { name, port } = splitHost(host);
  return port === "80" || port === "443" ? name : host;
}
