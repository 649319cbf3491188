import { describe, expect, test } from "vitest";
import { pipedText, printedText } from "./standard-output";

describe("what a command prints", () => {
  test.each<[words: string[], printed: string]>([
    [["echo"], ""],
    [["echo", "a", "b"], "a b"],
    [["echo", "-n", "-e", "-E", "-ne", "a"], "a"],
    [["echo", "-n"], ""],
    [["echo", "-x", "a"], "-x a"],
    [["echo", "-n1", "a"], "-n1 a"],
    [["echo", "a-n"], "a-n"],
    [["echo", "a", "-n"], "a -n"],
    [["echo", "\\x6cs\\tb"], "ls\tb"],
    [["echo", "\\154s"], "ls"],
    [["echo", "'\\x6cs' '\\x61"], "'ls' 'a"],
    [["echo", "it's"], "it's"],
    [["echo", "\\x6cs\\"], "ls\\"],
    [["echo", "\\\\"], "\\"],
    [["echo", "\\'\\x6c"], "\\'l"],
    [["echo", `\\x6c${"a".repeat(3_996)}`], `l${"a".repeat(3_996)}`],
    [["echo", `\\x6c${"a".repeat(3_997)}`], `\\x6c${"a".repeat(3_997)}`],
    [["printf", "ls"], "ls"],
    [["printf", "--", "ls"], "ls"],
    [["printf"], ""],
    [["printf", "%s", "ls"], "ls"],
    [["printf", "%s-%s", "a", "b"], "a-b"],
    [["printf", "%s %s", "a"], "a "],
    [["printf", "%s", "a", "b", "c"], "a b c"],
    [["printf", "%-5.2s|%d|%c|%q", "a", "1", "b", "c"], "a|1|b|c"],
    [["printf", "%x", "a"], "%x a"],
    [["printf", "\\x6cs %s", "\\x61"], "ls \\x61"],
    [["printf", "%b", "\\x6cs"], "ls"],
    [["which", "ls"], "ls"],
    [["realpath", "-e", "a"], "a"],
    [["readlink", "-f", "a"], "a"],
    [["command", "-v", "ls"], "ls"],
    [["command", "-pV", "ls"], "ls"],
    [["type", "-p", "ls"], "ls"],
    [["type", "-aP", "ls"], "ls"],
  ])("%j prints %j", (words, printed) => {
    expect(printedText(words, null)).toBe(printed);
  });

  test.each<[words: string[]]>([
    [["command", "ls", "-v"]],
    [["command", "x-v"]],
    [["command"]],
    [["command", "-x", "ls"]],
    [["command", "-xv", "ls"]],
    [["type", "ls"]],
    [["type", "x-p"]],
    [["type", "-xp"]],
    [["type", "-a", "ls"]],
    [["type"]],
    [["ls"]],
    [["cat"]],
    [["rev"]],
    [[]],
  ])("%j prints what nobody knows", (words) => {
    expect(printedText(words, null)).toBeNull();
  });

  test.each<[words: string[], input: string, printed: string]>([
    [["cat"], "a", "a"],
    [["cat", "-"], "a", "a"],
    [["tee"], "a", "a"],
    [["tee", "x"], "a", "a"],
    [["cat"], "a".repeat(4_001), "a".repeat(4_001)],
    [["tee"], "a".repeat(4_001), "a".repeat(4_001)],
    [["rev"], "sl\nba", "ls\nab"],
    [["rev"], "a".repeat(4_000), "a".repeat(4_000)],
    [["base64", "-d"], "bHM=", "ls"],
    [["base64", "-D"], "bHM=", "ls"],
    [["base64", "--decode"], "bHM=", "ls"],
    [["base64", "-i", "-wd"], "bHM=", "ls"],
    [["gbase64", "-d"], "bHM=", "ls"],
    [["xxd", "-r", "-p"], "6c 73", "ls"],
    [["xxd", "-pr"], "6C\n73", "ls"],
    [["echo", "b"], "a", "b"],
  ])("%j with %j on its input prints %j", (words, input, printed) => {
    expect(printedText(words, input)).toBe(printed);
  });

  test.each<[words: string[], input: string]>([
    [["cat", "x"], "a"],
    [["cat", "-", "x"], "a"],
    [["base64"], "a"],
    [["base64", "d"], "a"],
    [["base64", "x-d"], "a"],
    [["xxd"], "a"],
    [["xxd", "r"], "a"],
    [["tr", "a", "b"], "a"],
    [["rev"], "a".repeat(4_001)],
    [["base64", "-d"], "a".repeat(4_001)],
  ])("%j with something on its input prints what nobody knows", (words, input) => {
    expect(printedText(words, input)).toBeNull();
  });
});

test.each<[words: string[], piped: string | null]>([
  [["echo", "a\\tb"], "a\tb\na\\tb"],
  [["echo", "-n", "a\\tb"], "a\tb\na\\tb"],
  [["echo", "-e", "a\\tb"], "a\tb"],
  [["echo", "-ne", "a\\tb"], "a\tb"],
  [["echo", "a b"], "a b"],
  [["printf", "a\\tb"], "a\tb"],
  [["ls", "a\\b"], null],
])("%j hands on what any shell prints for it", (words, piped) => {
  expect(pipedText(words, null)).toBe(piped);
});
