import "server-only";
import type { RunLimitName } from "@/contracts/runs";
import type { RunTask } from "./active-runs";
import { limitSentence, notRun } from "./run-limits";
import type { MessageRow, RunRow } from "./run-row";
import { type LiveRun, type NewMessage, type RunEnd, saveEnd, toolMessage } from "./save-run";

type Call = { id: string; name: string; arguments: string };

/** The calls of the last reply that have no results yet; empty when the model is to be asked next. */
export function openCalls(messages: readonly Pick<MessageRow, "role" | "content">[]): Call[] {
  const last = messages.at(-1);
  // The results of a reply are stored together, so the reply is the last message until then.
  return last?.role === "assistant" ? (last.content.toolCalls ?? []) : [];
}

/** Results for calls that will not run, because a provider refuses a history with calls that nobody answered. */
export function closingResults(messages: readonly Pick<MessageRow, "role" | "content">[]): NewMessage[] {
  return openCalls(messages).map((call) => toolMessage(call, notRun, { isError: true }));
}

/** The last text that the model wrote in this run; null when it wrote none. */
export function answerSoFar({ messages }: Pick<LiveRun, "messages">): string | null {
  return messages.findLast(({ role, content }) => role === "assistant" && content.text.trim() !== "")?.content.text ?? null;
}

/** Ends a run at a limit: the answer is what the model has written, and the sentence that says which limit. */
export async function endAtLimit(
  live: LiveRun,
  limit: RunLimitName,
  added: readonly NewMessage[],
  change: Partial<RunRow> = {},
): Promise<void> {
  const error = limitSentence(limit, { ...live.run, ...change });
  const written = added.find(({ role }) => role === "assistant")?.content.text.trim() || answerSoFar(live);
  const answer = written ? `${written}\n\n${error}` : error;
  const { waitingSince: _, finishedAt: __, ...values } = change;
  await saveEnd(live, { status: "limited", answer, error, limit }, added, values);
}

/** Ends a run that was cancelled or whose time is up; the part of the reply that came is kept. */
export async function endStopped(live: LiveRun, { partial }: RunTask, reason: "cancelled" | "time"): Promise<void> {
  const isWriting = partial?.position === live.run.messageCount && partial.text.trim() !== "";
  const added = isWriting ? [{ role: "assistant" as const, content: { text: partial.text } }] : closingResults(live.messages);
  if (reason === "time") return endAtLimit(live, "time", added);
  const end: RunEnd = { status: "cancelled", answer: isWriting ? partial.text : answerSoFar(live) };
  await saveEnd(live, end, added);
}

/** Ends a run that cannot go on. */
export async function endFailed(live: LiveRun, error: string): Promise<void> {
  await saveEnd(live, { status: "failed", answer: answerSoFar(live), error }, closingResults(live.messages));
}
