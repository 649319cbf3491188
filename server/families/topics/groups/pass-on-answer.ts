import "server-only";
import { eq } from "drizzle-orm";
import { maxMessageText } from "@/contracts/agents/topics";
import type { Db } from "@/db/client";
import { agents, groupWires, topics } from "@/db/schema";
import type { EndedRun } from "@/server/platform/extension-points/run-ends";
import { sendMessage } from "../send-message";

/** Sends the answer of a wired agent's run to the topics of its wires; depth, rate and equal texts are limited as everywhere. */
export async function passOnAnswer(tx: Db, { agentId, conversationId, requestedBy, status, answer }: EndedRun): Promise<void> {
  const text = answer?.trim().slice(0, maxMessageText);
  if ((status !== "succeeded" && status !== "limited") || !text) return;
  const wired = await tx
    .select({ topic: topics, agent: agents.name })
    .from(groupWires)
    .innerJoin(topics, eq(topics.id, groupWires.topicId))
    .innerJoin(agents, eq(agents.id, groupWires.fromAgentId))
    .where(eq(groupWires.fromAgentId, agentId));
  for (const { topic, agent: name } of wired) {
    await sendMessage(tx, topic, { text, by: requestedBy, agent: { id: agentId, name, conversationId } });
  }
}
