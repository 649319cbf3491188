import { describe, expect, test } from "vitest";
import { diffLines, foldUnchanged } from "./diff-lines";

const signs = { same: " ", removed: "-", added: "+" } as const;
const told = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => `${signs[kind]}${text}`);

describe("the lines that a write changes", () => {
  test("only changed lines are removed and added", () => {
    expect(told("a\nb\nc\n", "a\nB\nc\nd\n")).toEqual([" a", "-b", "+B", " c", "+d"]);
  });

  test("a new file has added lines only, and a cleared one removed lines only", () => {
    expect(told("", "a\nb\n")).toEqual(["+a", "+b"]);
    expect(told("a\n", "")).toEqual(["-a"]);
    expect(told("", "")).toEqual([]);
  });

  test("lines have the numbers that they have in their file", () => {
    expect(diffLines("a\nb\n", "x\na\nb\n").map(({ oldNumber, newNumber }) => [oldNumber, newNumber])).toEqual([
      [null, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  test("texts too long to compare are told whole, and lose no line", () => {
    const text = (word: string) => Array.from({ length: 3_000 }, (_, place) => `${word} ${place}`).join("\n");
    expect(diffLines(text("old"), text("new"))).toHaveLength(6_000);
  });

  test("long unchanged runs are folded, with three lines left around each change", () => {
    const many = Array.from({ length: 40 }, (_, place) => `line ${place}`);
    const changed = many.with(20, "another");
    const chunks = foldUnchanged(diffLines(many.join("\n"), changed.join("\n")));
    expect(chunks.map((chunk) => (chunk.kind === "hidden" ? chunk.count : chunk.lines.length))).toEqual([17, 8, 16]);
  });
});
