import { expect, test } from "vitest";
import { readJournal } from "./journal-event";
import { listCallSteps } from "./list-call-steps";

const at = "2026-01-01T00:00:00.000Z";
const by = { type: "user", id: "1", name: "Ann" };

test("each question of a call stands with its own approval and answer, and other calls are left out", () => {
  const events = readJournal([
    { seq: 1, name: "call.step", data: { at, callId: "a", say: "Looking around" } },
    { seq: 2, name: "call.step", data: { at, callId: "a", ask: "Which one?", question: 0, options: ["left", "right"] } },
    { seq: 3, name: "call.step", data: { at, callId: "b", say: "Elsewhere" } },
    { seq: 4, name: "approval.requested", data: { at, callId: "a", approvalId: "q", kind: "question" } },
    { seq: 5, name: "call.answered", data: { at, callId: "a", question: 0, text: "left", by } },
    { seq: 6, name: "call.step", data: { at, callId: "a", ask: "How far?", question: 1, options: [] } },
  ]);
  expect(listCallSteps(events, "a")).toEqual([
    { kind: "line", at, text: "Looking around" },
    {
      kind: "question",
      at,
      number: 0,
      text: "Which one?",
      options: ["left", "right"],
      approvalId: "q",
      answer: { text: "left", by: "Ann" },
    },
    { kind: "question", at, number: 1, text: "How far?", options: [], approvalId: null, answer: null },
  ]);
});
