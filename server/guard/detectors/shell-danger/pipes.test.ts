import { describe, expect, test } from "vitest";
import { pipeAmong, runsFromClient } from "./pipes";

describe("where a file's name would stand", () => {
  test.each(["|ls", " |ls", "| ls", "-o|ls", "--out=|ls", "-o |ls", "mpr:|ls", "! ls", "-o!ls", "ls -l |", "ls| ", "%pipe%ls"])(
    "a program stands in %j",
    (word) => {
      expect(pipeAmong(["a", word])).toBe(word);
    },
  );

  test.each(["a|b", "a |b", "|", "|'a'", "|'", "!", "!'a", "!=a", "a!b", "b-o!c", "x{a|", "a(b)|", "-a|", "a|,", "-o;|ls"])(
    "none stands in %j",
    (word) => {
      expect(pipeAmong(["a", word])).toBeNull();
    },
  );
});

describe("a client of a database", () => {
  test.each([
    "pager ls",
    "pager  ls",
    "x;pager less",
    "\\P ls",
    "\\e x",
    "select edit('x')",
    "select edit ('x')",
    "\\o |ls",
    "\\set x `ls`",
    ".once |ls",
    " .once |ls",
    "|ls",
    " | ls",
    "-o|ls",
    "-o |ls",
    "--output=|ls",
    "select 1;\n\\g |ls",
  ])("runs a program for %j", (text) => {
    expect(runsFromClient(text)).toBe(true);
  });

  test.each([
    "select 1 | 2",
    "select 1 || 2",
    "select a.b | c",
    "select `a`",
    "\\d a",
    ".tables",
    "a | \\d b",
    "a || b \\d",
    "select -1|2",
    "xpager ls",
    "select credit('x')",
    "editx('x')",
    "||ls",
    "|,a",
  ])("runs none for %j", (text) => {
    expect(runsFromClient(text)).toBe(false);
  });
});
