import type { JournalEvent } from "./journal-event";

/** What a tool that works in steps said or asked. */
export type ShownStep =
  | { kind: "line"; at: string; text: string }
  | {
      kind: "question";
      at: string;
      number: number;
      text: string;
      options: readonly string[];
      answer: { text: string; by: string | null } | null;
    };

/** The steps of one call in order, each question with its answer once somebody gave one. */
export function stepsOfCall(events: readonly JournalEvent[], callId: string): ShownStep[] {
  const steps: ShownStep[] = [];
  for (const event of events) {
    if (event.name === "call.step" && event.callId === callId) {
      const { at, say, ask, question, options = [] } = event;
      if (ask !== undefined && question !== undefined)
        steps.push({ kind: "question", at, number: question, text: ask, options, answer: null });
      else if (say !== undefined) steps.push({ kind: "line", at, text: say });
    } else if (event.name === "call.answered" && event.callId === callId) {
      const asked = steps.find((step) => step.kind === "question" && step.number === event.question);
      if (asked?.kind === "question") asked.answer = { text: event.text, by: event.by?.name ?? null };
    }
  }
  return steps;
}
