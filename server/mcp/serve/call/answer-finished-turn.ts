import "server-only";
import { type CallToolResult, MissingRequiredClientCapabilityError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Turn } from "@/contracts/turns/turns";
import { errorKey } from "@/server/mcp/connect/calls/call-upstream";
import type { McpClient } from "../client/mcp-client";
import { hasEndedEarlier, markDelivered } from "./pending-calls";
import { presentResult } from "./present-result";

type Delivery = {
  wasPending: boolean;
  /** The client sent the same call again, and may not know that it gets an earlier result. */
  isRepeat?: boolean;
};

const MissingCapability = z.object({
  code: z.literal(ProtocolErrorCode.MissingRequiredClientCapability),
  data: z.looseObject({ requiredCapabilities: z.looseObject({}) }),
});
type MissingCapabilities = ConstructorParameters<typeof MissingRequiredClientCapabilityError>[0];

/** Returns the result of a finished turn. @throws ProtocolError when its server missed a capability of the client */
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
  const missing = MissingCapability.safeParse(result._meta?.[errorKey]);
  // A client that lacks what the server needs is told so by the protocol: its program decides, and its model could not help.
  if (missing.success) throw new MissingRequiredClientCapabilityError(missing.data.data as MissingCapabilities);
  return isOld ? { ...result, content: [...result.content, { type: "text", text: earlierSentence(turn) }] } : result;
}

/** Tells the model that nothing ran now, because the world may have changed since the result. */
function earlierSentence({ finishedAt }: Turn): string {
  return `This is the result of the same call that ended at ${finishedAt}; it was still owed. The call did not run again now. Send it again to run it anew.`;
}
