import "server-only";
import { mcpConnections } from "./connections";

/**
 * Connects to the MCP servers of all workspaces in the background and keeps the connections up. Waits for the rows
 * only, so that the tools they remember are there; a server that is slow, broken or gone is a warning in the log and a
 * status in its row, and keeps nothing waiting.
 * @returns closes all connections, the programs and their children included
 */
export async function connectMcpServers(): Promise<() => Promise<void>> {
  const connections = mcpConnections();
  await connections.start();
  return connections.stop;
}
