import { expect, test } from "vitest";
import { cleanLine, cleanText, comparableText, storable, withoutEscapeSequences } from "./clean-text";

test("words that hide in invisible characters disappear, and layout stays", () => {
  const hidden = [...":ignore"].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");
  expect(cleanText(`Reads a file.${hidden}\r\n\tSecond\u0000 line\u202e\u200b`, 100)).toBe("Reads a file.\n\tSecond line");
});

test("a text that is too long ends with an ellipsis and has the asked length", () => {
  expect(cleanText("x".repeat(50), 10)).toBe(`${"x".repeat(9)}…`);
  expect(cleanText("😀".repeat(50), 10).isWellFormed()).toBe(true);
});

test("a title is one line", () => {
  expect(cleanLine("  Read\n\n a\tfile ", 50)).toBe("Read a file");
});

test.each(["Wipes the disk.", " wipes  the\tdisk ", "Wi\u200bpes the DISK!", "Ｗipes the disk"])("%o compares equal", (text) => {
  expect(comparableText(text)).toBe("wipes the disk");
});

test("colours of a terminal go away", () => {
  expect(withoutEscapeSequences("\u001b[31mError:\u001b[0m no such file")).toBe("Error: no such file");
});

test("characters that a database cannot hold are replaced, and the rest is kept", () => {
  expect(storable("a\u0000b\ud800c")).toBe("a\ufffdb\ufffdc");
  expect(storable("plain\ttext\u202e")).toBe("plain\ttext\u202e");
});
