import "server-only";
import { mcpConnections } from "./connections";

/**
 * Connects to the MCP servers of all workspaces in the background and keeps the connections up. Returns at once: a
 * server that is slow, broken or gone is a warning in the log and a status in its row, and keeps nothing waiting.
 * @returns closes all connections, the programs and their children included
 */
export function connectMcpServers(): () => Promise<void> {
  const connections = mcpConnections();
  connections.start();
  return connections.stop;
}
