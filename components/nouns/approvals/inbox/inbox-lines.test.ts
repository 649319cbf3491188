import { describe, expect, test } from "vitest";
import type { InboxGroup, InboxRow } from "@/contracts/approvals/approvals";
import { countShapes, splitDecidable } from "../outbox/split-decidable";
import { holdMsFor } from "../outbox/undo-setting";
import { toHistoryFilter, toInboxFilter } from "../search-params";
import { groupKey, rowGroupKey, rowsToShow, toGroupLines, toRowLines } from "./inbox-lines";

function row(id: string, part: Partial<InboxRow> = {}): InboxRow {
  return {
    id,
    kind: "call",
    status: "pending",
    summary: id,
    shape: "npm install …",
    risk: "low",
    agent: "deployer",
    turnId: "t",
    conversationId: "c",
    requestedBy: { type: "user", id: "u", name: "Ann" },
    delegators: [],
    requestedAt: "2026-03-01T10:00:00.000Z",
    expiresAt: `2026-03-01T11:00:0${id.length}.000Z`,
    quorum: { needed: 1, got: 0 },
    mayDecide: { isAllowed: true, reason: null },
    tool: { name: "shell_execute", title: "Shell", effect: "destroy" },
    rule: null,
    ...part,
  };
}

describe("the lines of the inbox", () => {
  test("what was decided here keeps its place until it is hidden", () => {
    const kept = new Map([["aa", row("aa")]]);
    expect(rowsToShow([row("a"), row("aaa")], kept).map(({ id }) => id)).toEqual(["a", "aa", "aaa"]);
    expect(
      rowsToShow([row("a"), row("aa")], kept).map(({ id }) => id),
      "once, while it is still listed",
    ).toEqual(["a", "aa"]);
  });

  test("a group and its rows have the same key, and only the open group shows its rows", () => {
    const rule = { id: "r", name: "The rule" };
    const group: InboxGroup = {
      ruleId: "r",
      ruleName: "The rule",
      tool: "shell_execute",
      kind: "call",
      shape: "npm install …",
      count: 1,
      worstRisk: "low",
      nextExpiry: "2026-03-01T11:00:00.000Z",
    };
    const other = { ...group, ruleId: null };
    expect(groupKey(group)).toBe(rowGroupKey(row("a", { rule })));
    const lines = toGroupLines([group, other], groupKey(group), [row("a", { rule })]);
    expect(lines.map(({ kind }) => kind)).toEqual(["group", "row", "group"]);
  });
});

test("calls of one reply know their place among each other, a call of its own has none", () => {
  const rows = [row("a", { turnId: "t" }), row("b", { turnId: "u" }), row("c", { turnId: "t" })];
  expect(toRowLines(rows).map((line) => line.kind === "row" && line.reply)).toEqual([{ place: 1, count: 2 }, null, { place: 2, count: 2 }]);
});

describe("several decided together", () => {
  const rows = [
    row("a"),
    row("b", { risk: "critical" }),
    row("c", { kind: "question" }),
    row("d", { mayDecide: { isAllowed: false, reason: "You asked for it." } }),
  ];

  test("critical calls and questions are never approved in a batch, and nobody decides what is not theirs", () => {
    const { together, leftOut } = splitDecidable(rows, "approve");
    expect(together.map(({ id }) => id)).toEqual(["a"]);
    expect(leftOut.map(({ row: { id }, reason }) => [id, reason])).toEqual([
      ["b", "critical calls are approved one by one."],
      ["c", "questions are answered one by one."],
      ["d", "You asked for it."],
    ]);
  });

  test("a critical call can be rejected with the others", () => {
    expect(splitDecidable(rows, "reject").together.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test("their kinds are counted, the most first, each with its worst risk", () => {
    const counted = countShapes([row("a"), row("b", { risk: "high" }), row("c", { shape: "rm …" })]);
    expect(counted).toEqual([
      { shape: "npm install …", count: 2, worstRisk: "high" },
      { shape: "rm …", count: 1, worstRisk: "low" },
    ]);
  });
});

describe("the address of the page", () => {
  const search = { status: null, tool: null, agent: null, risk: null, kind: null, mine: false, query: "", by: null, from: null, to: null };

  test("an empty address is the whole inbox, and each part narrows it", () => {
    expect(toInboxFilter(search)).toEqual({ status: "pending" });
    const narrowed = toInboxFilter({ ...search, risk: "high", mine: true, query: "  rm  ", status: "approved" });
    expect(narrowed).toEqual({ status: "pending", risk: "high", mine: true, query: "rm" });
  });

  test("days cover the whole of the last one, and what is no day or no id is left out", () => {
    const { from, to } = toHistoryFilter({ ...search, from: "2026-03-01", to: "2026-03-01" });
    expect(Date.parse(to ?? "") - Date.parse(from ?? "")).toBe(24 * 3_600_000);
    expect(toHistoryFilter({ ...search, from: "yesterday", by: "Ann" })).toEqual({ isDecided: true });
  });
});

test("a decision is not held where the approval would expire meanwhile, or where the person wants none held", () => {
  const now = Date.parse("2026-03-01T10:00:00.000Z");
  const inSeconds = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
  expect(holdMsFor(true, [inSeconds(60)], now)).toBe(5_000);
  expect(holdMsFor(true, [inSeconds(60), inSeconds(7)], now)).toBe(0);
  expect(holdMsFor(false, [inSeconds(60)], now)).toBe(0);
});
