import { describe, expect, test } from "vitest";
import { hasOpenQuestion, type RawJournalEvent, readJournal } from "@/components/nouns/turns/journal-event";
import type { TurnEventName } from "@/contracts/turns/turns";
import { toSegments } from "./journal-segments";

const moment = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

/** Makes events, each a second after the previous one. */
function journal(...events: [TurnEventName, RawJournalEvent["data"]?][]) {
  return readJournal(events.map(([name, data], place) => ({ seq: place + 1, name, data: { ...data, at: moment(place + 1) } })));
}
const started = (callId: string): [TurnEventName, RawJournalEvent["data"]] => ["call.started", { callId, name: callId }];
const finished = (callId: string, status = "succeeded"): [TurnEventName, RawJournalEvent["data"]] => [
  "call.finished",
  { callId, name: callId, status },
];
const none = new Set<string>();
const groupsOf = (chapters: ReturnType<typeof toSegments>) =>
  chapters.map((chapter) => ("groups" in chapter ? chapter.groups : chapter.kind));

describe("what ran together", () => {
  test.each([
    [
      "one call",
      journal(["turn.started"], started("a"), finished("a"), ["turn.finished", { status: "completed" }]),
      ["a"],
      none,
      [[["a"]]],
    ],
    ["one after the other", journal(started("a"), finished("a"), started("b"), finished("b")), ["a", "b"], none, [[["a"], ["b"]]]],
    [
      "side by side, told in the order of the turn",
      journal(started("b"), started("a"), finished("a"), finished("b")),
      ["a", "b"],
      none,
      [[["a", "b"]]],
    ],
    [
      "overlapping like a chain",
      journal(started("a"), started("b"), finished("a"), started("c"), finished("b"), finished("c")),
      ["a", "b", "c"],
      none,
      [[["a", "b", "c"]]],
    ],
    [
      "a tool that never runs beside others, though the times say so",
      journal(started("a"), started("b"), finished("a"), finished("b")),
      ["a", "b"],
      new Set(["b"]),
      [[["a"], ["b"]]],
    ],
    ["refused without having run", journal(finished("a", "denied"), started("b"), finished("b")), ["a", "b"], none, [[["a"], ["b"]]]],
    ["refused before the others start", journal(finished("b", "denied"), started("a"), finished("a")), ["a", "b"], none, [[["a"], ["b"]]]],
    ["nothing yet", journal(["turn.started"]), ["a", "b"], none, [[["a"], ["b"]]]],
    ["an empty journal", [], ["a"], none, [[["a"]]]],
    ["some have not begun", journal(started("a"), finished("a")), ["a", "b"], none, [[["a"], ["b"]]]],
  ])("%s", (_title, events, callIds, alone, expected) => {
    expect(groupsOf(toSegments(events, { callIds, alone }))).toEqual(expected);
  });

  test("a segment lasts from its first start to its last end, and has no end while a call runs", () => {
    const events = journal(started("a"), started("b"), finished("b"));
    expect(toSegments(events, { callIds: ["a", "b"], alone: none })).toMatchObject([{ from: moment(1), until: null }]);
    const over = journal(started("a"), started("b"), finished("b"), finished("a"));
    expect(toSegments(over, { callIds: ["a", "b"], alone: none })).toMatchObject([{ from: moment(1), until: moment(4) }]);
  });
});

describe("where it waited", () => {
  const asked = journal(
    started("a"),
    finished("a"),
    ["approval.requested", { approvalId: "p", callId: "b" }],
    ["turn.suspended", { approvalId: "p" }],
  );

  test("the call that waits, and what comes after it, stand behind the question", () => {
    const chapters = toSegments(asked, { callIds: ["a", "b", "c"], alone: none });
    expect(groupsOf(chapters)).toEqual([[["a"]], "wait", [["b"], ["c"]]]);
    expect(chapters[1]).toMatchObject({ approvalId: "p", callId: "b", from: moment(3), until: null, answer: null });
    expect(chapters[2]).toMatchObject({ from: null, until: null });
  });

  test("the question of a running tool is no wait: the tool goes on running", () => {
    const question = { approvalId: "q", callId: "a", kind: "question" };
    const open = journal(started("a"), ["approval.requested", question]);
    expect(toSegments(open, { callIds: ["a"], alone: none })).toMatchObject([{ kind: "segment", until: null }]);
    expect(hasOpenQuestion(open)).toBe(true);
    const answered = journal(["approval.requested", question], ["approval.decided", { ...question, status: "answered" }]);
    expect(hasOpenQuestion(answered)).toBe(false);
    expect(hasOpenQuestion(asked)).toBe(false);
  });

  test("an answer ends the wait and says who gave it", () => {
    const by = { type: "user", id: "1", name: "Ann" };
    const events = journal(
      ["approval.requested", { approvalId: "p", callId: "a" }],
      ["turn.suspended", { approvalId: "p" }],
      ["approval.decided", { approvalId: "p", callId: "a", status: "approved", by, comment: "go on" }],
      ["turn.resumed"],
      started("a"),
      finished("a"),
    );
    const chapters = toSegments(events, { callIds: ["a"], alone: none });
    expect(chapters).toEqual([
      expect.objectContaining({ kind: "wait", from: moment(1), until: moment(3), answer: { status: "approved", by, comment: "go on" } }),
      { kind: "segment", from: moment(5), until: moment(6), groups: [["a"]] },
    ]);
  });

  test("a call that was refused by a person stands behind the question it asked", () => {
    const events = journal(
      ["approval.requested", { approvalId: "p", callId: "a" }],
      ["approval.decided", { approvalId: "p", callId: "a", status: "expired", by: null, comment: null }],
      finished("a", "expired"),
    );
    expect(groupsOf(toSegments(events, { callIds: ["a"], alone: none }))).toEqual(["wait", [["a"]]]);
  });
});

describe("where a replica died", () => {
  test("a call that ran again stands where it started last, one that did not where it was cut off", () => {
    const events = journal(
      started("a"),
      started("b"),
      ["turn.recovered", { formerOwner: "x", again: ["a"], interrupted: ["b"] }],
      finished("b", "interrupted"),
      started("a"),
      finished("a"),
    );
    const chapters = toSegments(events, { callIds: ["a", "b"], alone: none });
    expect(groupsOf(chapters)).toEqual([[["b"]], "recovery", [["a"]]]);
    expect(chapters[1]).toEqual({ kind: "recovery", at: moment(3), lastSeen: moment(2), again: ["a"], interrupted: ["b"] });
  });

  test("events that cannot be read are passed over", () => {
    expect(readJournal([{ seq: 1, name: "call.progress", data: { callId: "a", message: "half" } }])).toEqual([]);
    expect(readJournal([{ seq: 1, name: "call.started", data: { at: "yesterday" } }])).toEqual([]);
  });
});
