import "server-only";
import path from "node:path";
import { env } from "@/server/platform/env";
import { removeAbandonedFolders } from "../program/server-folder";
import { sealPlainSettings } from "../settings/seal-plain-settings";
import { endOrphanedGroups } from "../transport/orphaned-process-groups";
import { mcpConnections } from "./connections";

/**
 * Connects to the MCP servers of all workspaces in the background and keeps the connections up. Waits only for the end of
 * a crashed run's programs and for the rows, so that the remembered tools are available. A slow, broken or missing server
 * blocks nothing; it becomes a warning in the log and a status in its row.
 * @returns a function that closes all connections and ends the programs with their children
 */
export async function connectMcpServers(): Promise<() => Promise<void>> {
  await endOrphanedGroups(path.join(env().dataDir, "mcp-processes"));
  await removeAbandonedFolders();
  await sealPlainSettings();
  const connections = mcpConnections();
  await connections.start();
  return connections.stop;
}
