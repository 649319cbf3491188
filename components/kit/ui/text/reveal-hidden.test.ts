import { describe, expect, test } from "vitest";
import { revealHidden, spellHidden } from "./reveal-hidden";

describe("what a person reads is what runs", () => {
  test("a plain command, with tabs and several lines, stays as it is", () => {
    expect(revealHidden("ls -la\n\tcat a.txt")).toEqual([{ text: "ls -la\n\tcat a.txt", hidden: false }]);
  });

  test("a right-to-left override is shown by its code point", () => {
    expect(revealHidden("cat \u202egpj.exe")).toEqual([
      { text: "cat ", hidden: false },
      { text: "U+202E", hidden: true },
      { text: "gpj.exe", hidden: false },
    ]);
  });

  test.each([
    ["zero-width space", "\u200b", "U+200B"],
    ["escape, which starts terminal sequences", "\u001b", "U+001B"],
    ["carriage return, which overwrites a line in a terminal", "\r", "U+000D"],
    ["tag character outside the basic plane", "\u{e0041}", "U+E0041"],
    ["byte order mark", "\ufeff", "U+FEFF"],
    ["Hangul filler", "\u3164", "U+3164"],
  ])("%s cannot hide", (_name, character, shown) => {
    expect(revealHidden(`a${character}b`)).toEqual([
      { text: "a", hidden: false },
      { text: shown, hidden: true },
      { text: "b", hidden: false },
    ]);
  });

  test("letters of any language and emoji are left alone", () => {
    const text = "größe 数据 עברית العربية ✔️ 👩‍💻 👍";
    expect(revealHidden(text)).toEqual([{ text, hidden: false }]);
  });

  test("a joiner outside an emoji is shown", () => {
    expect(revealHidden("rm\u200d -r").filter((piece) => piece.hidden)).toEqual([{ text: "U+200D", hidden: true }]);
  });

  test("an empty text has no pieces", () => {
    expect(revealHidden("")).toEqual([]);
  });
});

test("where only a string fits, hidden characters are spelt between brackets", () => {
  expect(spellHidden("\u202egnp.exe")).toBe("[U+202E]gnp.exe");
  expect(spellHidden("plain 👩‍💻")).toBe("plain 👩‍💻");
  expect(spellHidden(null)).toBeNull();
});
