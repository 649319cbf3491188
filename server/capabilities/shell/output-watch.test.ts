import { expect, test } from "vitest";
import { lastLineIn } from "./output-watch";

const tail = (text: string, isCut = false) => lastLineIn({ bytes: Buffer.from(text), isCut });

test.each([
  { title: "the last line with text", text: "one\ntwo\n\n", line: "two" },
  { title: "a line that was redrawn after a carriage return", text: "10 %\r20 %\r", line: "20 %" },
  { title: "a line without its colours", text: "\u001b[32mok\u001b[0m\n", line: "ok" },
  { title: "nothing for a line without an end", text: "password: ", line: null },
  { title: "nothing for a line of a thousand characters and more", text: `${"word ".repeat(300)}\n`, line: null },
  { title: "nothing for a long word, which may be a secret", text: `${"QUJD".repeat(16)}\n`, line: null },
  { title: "nothing for a short line behind a line of a key", text: `${"QUJD".repeat(16)}\nabc==\n`, line: null },
])("progress of a command shows $title", ({ text, line }) => {
  expect(tail(text)).toBe(line);
});

test("the first line of a cut tail is not shown, because it may be half a secret", () => {
  expect(tail("cret-half\n", true)).toBeNull();
  expect(tail("cret-half\nwhole\n", true)).toBe("whole");
});
