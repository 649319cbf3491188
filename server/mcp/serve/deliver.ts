import "server-only";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Turn } from "@/contracts/turns";
import type { McpClient } from "./mcp-client";
import { markDelivered } from "./pending-calls";
import { presentResult } from "./present-result";

/** Returns the result of a finished turn. */
export async function deliver(client: McpClient, turn: Turn, { wasPending }: { wasPending: boolean }): Promise<CallToolResult> {
  const [call] = turn.calls;
  if (!call) throw new Error(`Turn ${turn.id} has no call`);
  const result = await presentResult(client, turn, call);
  if (wasPending) await markDelivered(turn.id);
  return result;
}
