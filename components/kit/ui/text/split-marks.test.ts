import { expect, test } from "vitest";
import { splitMarks, type TextMark } from "./split-marks";

const mark = (start: number, end: number, note: string, tone: TextMark["tone"] = "ask"): TextMark => ({ start, end, note, tone });
const shown = (text: string, marks: TextMark[]) => splitMarks(text, marks).map(({ text: piece, notes }) => [piece, ...notes]);

test.each<[name: string, marks: TextMark[], pieces: string[][]]>([
  ["without a mark the text is one piece", [], [["abcdef"]]],
  ["a mark in the middle cuts it in three", [mark(2, 4, "one")], [["ab"], ["cd", "one"], ["ef"]]],
  ["a mark over everything cuts nothing", [mark(0, 6, "one")], [["abcdef", "one"]]],
  [
    "overlapping marks share the piece between them",
    [mark(0, 4, "one"), mark(2, 6, "two")],
    [
      ["ab", "one"],
      ["cd", "one", "two"],
      ["ef", "two"],
    ],
  ],
  ["the same note is told once", [mark(0, 6, "one"), mark(0, 6, "one")], [["abcdef", "one"]]],
])("%s", (_name, marks, pieces) => {
  expect(shown("abcdef", marks)).toEqual(pieces);
});

test("a piece has the tone of the first mark that covers it", () => {
  const pieces = splitMarks("abcd", [mark(0, 2, "one", "deny"), mark(0, 4, "two", "ask")]);
  expect(pieces.map(({ tone }) => tone)).toEqual(["deny", "ask"]);
});

test("an empty text has no piece", () => {
  expect(splitMarks("", [])).toEqual([]);
});
