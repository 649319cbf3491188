import type { MessageRow } from "./run-row";
import { type NewMessage, toolMessage } from "./save-run";

type Message = Pick<MessageRow, "role" | "content">;
type Call = { id: string; name: string; arguments: string };

/** The result of a call that did not run because its run ended. */
const notRun = "Not run: the run ended before this call.";

/** The result of a call that did not stop in time when its run ended. */
export const unknownOutcome = "Stopped: the run ended while this call was running. Its outcome is unknown.";

/** The calls of the last reply that have no results yet; empty when the model is to be asked next. */
export function openCalls(messages: readonly Message[]): Call[] {
  const last = messages.at(-1);
  // The results of a reply are stored together, so the reply is the last message until then.
  return last?.role === "assistant" ? (last.content.toolCalls ?? []) : [];
}

/** Results for calls without a turn, because a provider refuses a history with calls that nobody answered. */
export function closingResults(messages: readonly Message[]): NewMessage[] {
  return openCalls(messages).map((call) => toolMessage(call, notRun, { isError: true }));
}

/** The last text that the model wrote in a run; null when it wrote none. */
export function answerSoFar(messages: readonly Message[]): string | null {
  return messages.findLast(({ role, content }) => role === "assistant" && content.text.trim() !== "")?.content.text ?? null;
}
