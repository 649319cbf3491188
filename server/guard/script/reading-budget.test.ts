import { describe, expect, test } from "vitest";
import { isTooMuch, ReadingBudget, tooMuch } from "./reading-budget";

const all = 2_800;

/** Returns the smallest budget with which a text is read; null when it is never read. */
function costOf(text: string): number | null {
  for (let left = 0; left <= all; left += 1) {
    const budget = new ReadingBudget();
    budget.spend(all - left);
    try {
      budget.spendOn(text);
      return left;
    } catch {
      // The budget left is too small for the text.
    }
  }
  return null;
}

describe("to read a text costs", () => {
  test.each<[text: string, marks: number]>([
    ["", 1],
    ["azAZ09_./:,-+%@^", 1],
    ["gr\u00f6\u00dfe\u65e5\u672c", 1],
    ["a b", 2],
    ["a \t b", 4],
    ["a    b c", 3],
    ["a'b", 2],
    ["a''b", 3],
    ["a;b", 8],
    ["a;;b", 15],
    ["\n", 8],
    ["|", 8],
    ["&", 8],
    ["(", 8],
    [")", 2],
    ["a`b`", 25],
    ["<", 2],
    ["<<", 14],
    ["<<<", 26],
    ["< <", 4],
    [")".repeat(50) + "{".repeat(40), 91],
    ["(".repeat(40), 281],
    ["[".repeat(40), 41],
    ["{}".repeat(41), 83],
    ["[]".repeat(41), 83],
    ["()".repeat(41), 329],
  ])("%j: %i marks", (text, marks) => expect(costOf(text)).toBe(marks));

  test.each(["(", "{", "[", "[{", "$("])("too much where %j stands too deep", (open) => {
    expect(costOf(open.repeat(Math.ceil(41 / open.replace("$", "").length)))).toBeNull();
  });

  test("too much where it is long, and sooner where it is deep", () => {
    const budget = () => new ReadingBudget();
    expect(() => budget().spendOn("a".repeat(128 * 1024))).not.toThrow();
    expect(() => budget().spendOn("a".repeat(128 * 1024 + 1))).toThrow("too much");
    expect(() => budget().spendOn("{".repeat(6).padEnd(100_000, "a"))).not.toThrow();
    expect(() => budget().spendOn("{".repeat(6).padEnd(100_001, "a"))).toThrow("too much");
  });
});

test("what is left of a budget gets less with each text, and so does the number of texts", () => {
  const budget = new ReadingBudget();
  for (let texts = 0; texts < 400; texts += 1) budget.spendOn("a b");
  expect(() => budget.spendOn("")).toThrow("too much");
  const other = new ReadingBudget();
  other.spend(all);
  expect(() => other.spend(1)).toThrow("too much");
});

test("too much to read is told from what is broken", () => {
  expect(isTooMuch(tooMuch())).toBe(true);
  expect(isTooMuch(new Error("it is too much to be read with certainty"))).toBe(false);
  expect(isTooMuch({ name: "TooMuchToRead" })).toBe(false);
  expect(isTooMuch(null)).toBe(false);
});
