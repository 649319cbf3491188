import "server-only";
import type { RunLimitName } from "@/contracts/runs";
import type { RunTask } from "./active-runs";
import { answerSoFar } from "./open-calls";
import { limitSentence } from "./run-limits";
import type { RunRow } from "./run-row";
import { type LiveRun, type NewMessage, type RunEnd, saveEnd } from "./save-run";
import { closeTurn } from "./turn-results";

/** Ends a run at a limit: the answer is what the model has written, and the sentence that says which limit. */
export async function endAtLimit(
  live: LiveRun,
  limit: RunLimitName,
  added: readonly NewMessage[],
  change: Partial<RunRow> = {},
): Promise<void> {
  const error = limitSentence(limit, { ...live.run, ...change });
  const written = added.find(({ role }) => role === "assistant")?.content.text.trim() || answerSoFar(live.messages);
  const answer = written ? `${written}\n\n${error}` : error;
  const { waitingSince: _, finishedAt: __, ...values } = change;
  await saveEnd(live, { status: "limited", answer, error, limit }, added, values);
}

/** Ends a run that was cancelled or whose time is up; the part of the reply that came is kept. */
export async function endStopped(live: LiveRun, { partial }: RunTask, reason: "cancelled" | "time"): Promise<void> {
  const isWriting = partial?.position === live.run.messageCount && partial.text.trim() !== "";
  const added = isWriting ? [{ role: "assistant" as const, content: { text: partial.text } }] : await closeTurn(live);
  if (reason === "time") return endAtLimit(live, "time", added);
  const end: RunEnd = { status: "cancelled", answer: isWriting ? partial.text : answerSoFar(live.messages) };
  await saveEnd(live, end, added);
}

/** Ends a run that cannot go on. */
export async function endFailed(live: LiveRun, error: string): Promise<void> {
  await saveEnd(live, { status: "failed", answer: answerSoFar(live.messages), error }, await closeTurn(live));
}
