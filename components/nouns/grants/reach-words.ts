import type { GrantReach } from "@/contracts/browser/guard/grants";

/** Describes what the calls of a grant may reach. */
export function reachWords({ hosts, machine }: GrantReach): string {
  const named = hosts.filter((host) => host !== "*");
  const network =
    hosts.length === 0
      ? "no host"
      : named.length < hosts.length
        ? ["the host that the call does not name", ...named].join(", ")
        : named.join(", ");
  return `Calls may reach ${network}${machine ? ", and the machine" : ""}.`;
}
