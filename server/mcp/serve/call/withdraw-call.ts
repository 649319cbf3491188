import "server-only";
import type { Turn } from "@/contracts/turns/turns";
import { requirePermission } from "@/server/auth/actor";
import { cancelTurn } from "@/server/turns/cancel-turn";
import type { McpClient } from "../client/mcp-client";
import { markDelivered, markOwed } from "./pending-calls";

/** Cancels a call for the client that made it. No result is owed any more, so that the same call runs anew. */
export async function withdrawCall({ actor }: McpClient, turnId: string, signal: AbortSignal): Promise<Turn> {
  // Settled first, so that the call sent again at once finds no old result.
  await markDelivered(turnId);
  const turn = await cancelTurn(requirePermission(actor, "turns:write"), turnId, signal);
  // A call that completed before the cancellation still owes its result.
  if (turn.status === "completed") await markOwed(turnId);
  return turn;
}
