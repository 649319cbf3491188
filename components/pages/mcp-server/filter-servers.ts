import type { McpServer } from "@/contracts/mcp/mcp-servers";

/** Returns the servers that have a status and all words of a search in their alias, command, address or own name. */
export function filterServers(
  servers: readonly McpServer[],
  { query, status }: { query: string; status: McpServer["status"] | null },
): readonly McpServer[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return servers.filter((server) => {
    const text = [server.alias, server.command, ...server.args, server.url, server.serverInfo?.name].join(" ").toLowerCase();
    return (status === null || server.status === status) && words.every((word) => text.includes(word));
  });
}
