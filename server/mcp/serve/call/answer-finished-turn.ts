import "server-only";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Turn } from "@/contracts/turns";
import type { McpClient } from "../client/mcp-client";
import { hasEndedEarlier, markDelivered } from "./pending-calls";
import { presentResult } from "./present-result";

type Delivery = {
  wasPending: boolean;
  /** The client sent the same call again, and may not know that it gets an earlier result. */
  isRepeat?: boolean;
};

/** Returns the result of a finished turn. */
export async function answerFinishedTurn(
  client: McpClient,
  turn: Turn,
  { wasPending, isRepeat = false }: Delivery,
): Promise<CallToolResult> {
  const [call] = turn.calls;
  if (!call) throw new Error(`Turn ${turn.id} has no call`);
  const result = await presentResult(client, turn, call);
  const isOld = isRepeat && (await hasEndedEarlier(turn.id));
  if (wasPending) await markDelivered(turn.id);
  return isOld ? { ...result, content: [...result.content, { type: "text", text: earlierSentence(turn) }] } : result;
}

/** Tells the model that nothing ran now, because the world may have changed since the result. */
function earlierSentence({ finishedAt }: Turn): string {
  return `This is the result of the same call that ended at ${finishedAt}; it was still owed. The call did not run again now. Send it again to run it anew.`;
}
