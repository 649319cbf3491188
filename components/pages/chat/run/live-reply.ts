import { isJsonObject } from "@/components/kit/api/read-json";
import type { JsonObject } from "@/contracts/common";

/** A call that the model writes now. */
export type LiveCall = { index: number; name: string; arguments: string };

/** The reply that the model writes now. Kept apart from the messages, because it is not stored yet. */
export type LiveReply = { runId: string; position: number; text: string; reasoning: string; calls: readonly LiveCall[] };

/** Returns the reply after an event of the run's stream; null when none is being written. */
export function nextReply(before: LiveReply | null, runId: string, name: string, data: unknown): LiveReply | null {
  if (!isJsonObject(data) || typeof data.position !== "number") return before;
  const { position } = data;
  if (name === "message.added") return before && before.runId === runId && before.position > position ? before : null;
  const fresh = { runId, position, text: "", reasoning: "", calls: [] };
  if (name === "step.restarted") return fresh;
  if (typeof data.text !== "string") return before;
  const reply = before?.runId === runId && before.position === position ? before : fresh;
  if (name === "text.delta") return { ...reply, text: reply.text + data.text };
  if (name === "reasoning.delta") return { ...reply, reasoning: reply.reasoning + data.text };
  if (name === "call.delta") return { ...reply, calls: withDelta(reply.calls, data, data.text) };
  return before;
}

function withDelta(calls: readonly LiveCall[], { index, name }: JsonObject, text: string): readonly LiveCall[] {
  if (typeof index !== "number" || typeof name !== "string") return calls;
  const known = calls.find((call) => call.index === index);
  if (!known) return [...calls, { index, name, arguments: text }];
  return calls.map((call) => (call === known ? { ...call, name, arguments: call.arguments + text } : call));
}
