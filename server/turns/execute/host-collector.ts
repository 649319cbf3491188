import type { ProxyEvent } from "@/server/capabilities/sandbox/network/host-proxy";

/** The hosts that the programs of a call connected to through the proxy, and those that the proxy refused; `host:port`. */
export type ReachedHosts = { reached: string[]; refused: string[] };

/** Maximum of hosts of each kind in an audit row. */
const maxHosts = 20;

/** Collects the connections of one call, for its audit row. */
export function hostCollector(): { note: (event: ProxyEvent) => void; hosts: () => ReachedHosts | null } {
  const found = { reached: new Set<string>(), refused: new Set<string>() };
  return {
    note: ({ host, port, outcome }) => {
      if (outcome === "failed") return;
      const hosts = found[outcome];
      if (hosts.size < maxHosts) hosts.add(`${host.includes(":") ? `[${host}]` : host}:${port}`);
    },
    hosts: () => (found.reached.size + found.refused.size === 0 ? null : { reached: [...found.reached], refused: [...found.refused] }),
  };
}
