import "server-only";
import path from "node:path";
import { env } from "@/server/platform/env";
import { mcpConnections } from "./connections";
import { endLeftoverGroups } from "./leftover-groups";

/**
 * Connects to the MCP servers of all workspaces in the background and keeps the connections up. Waits for the rows
 * only, so that the tools they remember are there (and for what a crashed run left behind to end); a server that is slow, broken or gone is a warning in the log and a
 * status in its row, and keeps nothing waiting.
 * @returns closes all connections, the programs and their children included
 */
export async function connectMcpServers(): Promise<() => Promise<void>> {
  await endLeftoverGroups(path.join(env().dataDir, "mcp-processes"));
  const connections = mcpConnections();
  await connections.start();
  return connections.stop;
}
