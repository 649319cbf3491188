import { isJsonObject } from "@/components/api/read-json";

/** The reply that the model writes now. Kept apart from the messages, because it is not stored yet. */
export type LiveReply = { runId: string; position: number; text: string; reasoning: string };

/** Returns the reply after an event of the run's stream; null when none is being written. */
export function nextReply(before: LiveReply | null, runId: string, name: string, data: unknown): LiveReply | null {
  if (!isJsonObject(data) || typeof data.position !== "number") return before;
  const { position } = data;
  if (name === "message.added") return before && before.runId === runId && before.position > position ? before : null;
  const fresh = { runId, position, text: "", reasoning: "" };
  if (name === "step.restarted") return fresh;
  if (typeof data.text !== "string") return before;
  const reply = before?.runId === runId && before.position === position ? before : fresh;
  if (name === "text.delta") return { ...reply, text: reply.text + data.text };
  if (name === "reasoning.delta") return { ...reply, reasoning: reply.reasoning + data.text };
  return before;
}
