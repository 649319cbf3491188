import { expect, test } from "vitest";
import { changedWords, refusalsByReason } from "./bulk-words";
import { noSelection, pressed } from "./selection";

const order = ["a", "b", "c", "d", "e"];
const names = (selection: ReturnType<typeof pressed>) => [...selection.names].sort().join("");

test("Shift selects from the last pressed tool to this one, in both directions, and unselects the same way", () => {
  const first = pressed(noSelection, "d", false, order);
  const range = pressed(first, "b", true, order);
  expect([names(first), names(range)]).toEqual(["d", "bcd"]);
  const less = pressed(range, "c", false, order);
  expect(names(less)).toBe("bd");
  expect(names(pressed(less, "d", true, order))).toBe("b");
});

test("Shift without a last tool, or with one that is out of sight, selects the pressed one", () => {
  expect(names(pressed(noSelection, "b", true, order))).toBe("b");
  expect(names(pressed(pressed(noSelection, "x", false, order), "b", true, order))).toBe("bx");
});

test("a summary says how many changed, and groups refusals by their reason", () => {
  expect(changedWords(1, { tier: "extension" })).toBe("1 tool moved to Extension");
  expect(changedWords(12, { enabled: false })).toBe("12 tools disabled");
  const refused = [
    { tool: "a", code: "c", reason: "one" },
    { tool: "b", code: "c", reason: "two" },
    { tool: "c", code: "c", reason: "two" },
  ];
  expect(refusalsByReason(refused)).toEqual([
    { reason: "two", tools: ["b", "c"] },
    { reason: "one", tools: ["a"] },
  ]);
});
