import type { JournalEvent } from "./journal-event";

/** A message or a question of a stateful tool. */
export type ShownStep =
  | { kind: "line"; at: string; text: string }
  | {
      kind: "question";
      at: string;
      number: number;
      text: string;
      options: readonly string[];
      /** Id of the question's approval; null in a journal of an earlier release. */
      approvalId: string | null;
      answer: { text: string; by: string | null } | null;
    };

/** Returns the steps of one call in order, with the answers to its questions. */
export function listCallSteps(events: readonly JournalEvent[], callId: string): ShownStep[] {
  const steps: ShownStep[] = [];
  for (const event of events) {
    if (event.name === "call.step" && event.callId === callId) {
      const { at, say, ask, question, options = [] } = event;
      if (ask !== undefined && question !== undefined)
        steps.push({ kind: "question", at, number: question, text: ask, options, approvalId: null, answer: null });
      else if (say !== undefined) steps.push({ kind: "line", at, text: say });
    } else if (event.name === "approval.requested" && event.kind === "question" && event.callId === callId) {
      // The journal records a question directly before its approval.
      const asked = steps.at(-1);
      if (asked?.kind === "question") asked.approvalId = event.approvalId;
    } else if (event.name === "call.answered" && event.callId === callId) {
      const asked = steps.find((step) => step.kind === "question" && step.number === event.question);
      if (asked?.kind === "question") asked.answer = { text: event.text, by: event.by?.name ?? null };
    }
  }
  return steps;
}
