import "server-only";
import { eq } from "drizzle-orm";
import { maxMessageText } from "@/contracts/channels";
import type { Db } from "@/db/client";
import { agents, channels, groupWires } from "@/db/schema";
import type { EndedRun } from "@/server/platform/run-ends";
import { sendMessage } from "../send-message";

/** Sends the answer of a wired agent's run to the channels of its wires; depth, rate and equal texts are limited as everywhere. */
export async function passOnAnswer(tx: Db, { agentId, conversationId, requestedBy, status, answer }: EndedRun): Promise<void> {
  const text = answer?.trim().slice(0, maxMessageText);
  if ((status !== "succeeded" && status !== "limited") || !text) return;
  const wired = await tx
    .select({ channel: channels, agent: agents.name })
    .from(groupWires)
    .innerJoin(channels, eq(channels.id, groupWires.channelId))
    .innerJoin(agents, eq(agents.id, groupWires.fromAgentId))
    .where(eq(groupWires.fromAgentId, agentId));
  for (const { channel, agent: name } of wired) {
    await sendMessage(tx, channel, { text, by: requestedBy, agent: { id: agentId, name, conversationId } });
  }
}
