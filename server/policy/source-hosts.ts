import type { McpServerDraft } from "@/contracts/mcp/mcp-servers";

type Server = { network: McpServerDraft["network"] | null; allowedHosts: readonly string[] | null };

/** Returns the hosts with a port that an admin lets an MCP server reach. A wildcard opens no private address, so it is none of them. */
export function sourceHosts({ network, allowedHosts }: Server): { sourceHosts?: string[] } {
  if (network === "none" || allowedHosts === null) return {};
  const hosts = allowedHosts.filter((host) => /^[^*].*:\d{1,5}$/.test(host));
  return hosts.length === 0 ? {} : { sourceHosts: hosts };
}
