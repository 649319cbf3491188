import "server-only";
import type { RunLimitName } from "@/contracts/runs/runs";
import type { RunTask } from "./active-runs";
import { answerSoFar } from "./open-calls";
import { limitSentence } from "./run-limits";
import type { RunRow } from "./run-row";
import { type LiveRun, type NewMessage, type RunEnd, saveEnd } from "./save-run";
import { addUnstored } from "./step-usage";
import { closeTurn } from "./turn-results";

/** Ends a run at a limit: the answer is what the model has written, and the sentence that says which limit. */
export async function endAtLimit(
  live: LiveRun,
  limit: RunLimitName,
  added: readonly NewMessage[],
  change: Partial<RunRow> = {},
  error = limitSentence(limit, { ...live.run, ...change }),
): Promise<void> {
  const written = added.find(({ role }) => role === "assistant")?.content.text.trim() || answerSoFar(live.messages);
  const answer = written ? `${written}\n\n${error}` : error;
  const { waitingSince: _, finishedAt: __, ...values } = change;
  await saveEnd(live, { status: "limited", answer, error, limit }, added, values);
}

/** Ends a run that was cancelled or whose time is up; the part of the reply that came is kept. */
export async function endStopped(live: LiveRun, task: RunTask, reason: "cancelled" | "time"): Promise<void> {
  const partial = partialOf(live, task);
  const added = partial ? [partial] : await closeTurn(live);
  const spent = await addUnstored(live.run, task);
  if (reason === "time") return endAtLimit(live, "time", added, spent);
  const end: RunEnd = { status: "cancelled", answer: partial?.content.text ?? answerSoFar(live.messages) };
  await saveEnd(live, end, added, spent);
}

/** Ends a run whose last reply broke off every time: the part of it that came is its answer. */
export async function endCutOff(live: LiveRun, task: RunTask, error: string): Promise<void> {
  const partial = partialOf(live, task);
  await endAtLimit(live, "reply", partial ? [partial] : [], await addUnstored(live.run, task), error);
}

/** The part of the next reply that people may read; null while there is none. */
function partialOf({ run }: LiveRun, { partial }: RunTask): NewMessage | null {
  const isWritten = partial?.position === run.messageCount && partial.text.trim() !== "";
  return isWritten ? { role: "assistant", content: { text: partial.text } } : null;
}

/** Ends a run that cannot go on. */
export async function endFailed(live: LiveRun, task: RunTask, error: string): Promise<void> {
  const end: RunEnd = { status: "failed", answer: answerSoFar(live.messages), error };
  await saveEnd(live, end, await closeTurn(live), await addUnstored(live.run, task));
}
