import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { findMatches } from "./find-matches";

const marked = (pattern: string, text: string) =>
  findMatches(RE2JS.compile(pattern), text)
    .map((piece) => (piece.matched ? `[${piece.text}]` : piece.text))
    .join("");

test("matches of a pattern are marked, and the rest of the text stays", () => {
  expect(marked("^(ls|cat)(\\s|$)", "ls -la")).toBe("[ls ]-la");
  expect(marked("a", "banana")).toBe("b[a]n[a]n[a]");
  expect(marked("x", "banana")).toBe("banana");
});

test("an empty match marks nothing, and an empty text is no piece", () => {
  expect(marked("x*", "ab")).toBe("ab");
  expect(findMatches(RE2JS.compile("a"), "")).toEqual([]);
});

test("letters outside the basic plane keep their place", () => {
  expect(marked("b", "👍b👍")).toBe("👍[b]👍");
});
