import { describe, expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { buildRequest, policyOfRules, shellCall, shellTool } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import { decide } from "../decide";
import { compilePattern } from "./argument-pattern";
import { findInShell } from "./match-anywhere";
import { whyNotCovered } from "./pattern-coverage";

function patternOf(source: string) {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.pattern;
}
function readingOf(command: string) {
  const { shell } = analyzeCall(buildRequest(shellTool, { command }));
  if (!shell) throw new Error("There is no command");
  return shell;
}
const whyNot = (pattern: string, command: string) => whyNotCovered(patternOf(pattern), readingOf(command));
const looking = "^(ls|cat|grep|git status)(\\s|$)";

describe("a rule that allows", () => {
  test.each(examples`
    ls ¦ ls -la | grep x && cat a ¦ ls > /dev/null 2>&1 ¦ cat < a.txt ¦ A=1 ls ¦ timeout 5 ls ¦ nice timeout 5 ls ¦ git status --short
    for f in a b; do cat a; done ¦ (ls) ¦ env A=1 ls
  `)("covers %s, in which every command matches", (command) => expect(whyNot(looking, command)).toBeNull());

  test.each([
    ["rm ls", "The command `rm ls` matches the pattern only further on, and an allow rule has to match from its first character.", "ls"],
    ["rm x", "The command `rm x` does not match the pattern.", "^ls"],
    ["lsof", "The command `lsof` matches the pattern only in a part of its name, `ls`.", "^ls"],
    ["ls; rm x", "The second command `rm x` does not match the pattern.", "^ls"],
    ["ls a > b.txt", "The command writes to `b.txt`, which no allow rule covers.", ".*"],
    ["{ ls; } >> b.txt", "The command writes to `b.txt`, which no allow rule covers.", ".*"],
    ["sh -c 'ls > b.txt'", "The command writes to `b.txt`, which no allow rule covers.", ".*"],
    ["ls 'a", "The command cannot be read as a shell script with certainty: ", ".*"],
    ['sh -c "ls \'a"', "The command cannot be read as a shell script with certainty: ", ".*"],
    ["", "There is no command in it.", ".*"],
    ["# a comment", "There is no command in it.", ".*"],
    ["$(cat x) a", "The first command `$(cat x) a` has a name that is not written out plainly.", ".*"],
    ["l's' a", "The command `l's' a` has a name that is not written out plainly.", ".*"],
    ['ls "a"', 'The command `ls "a"` does not match the pattern without its quotes.', '^ls "'],
    [`${"ls; ".repeat(10)}rm x`, "The 11th command `rm x` does not match the pattern.", "^ls"],
    ["sudo ls", "The first command `sudo ls` does not match the pattern.", "^ls"],
    ["xargs ls", "The first command `xargs ls` does not match the pattern.", "^ls"],
    ["find . -exec rm {} +", "The first command `find . -exec rm {} +` does not match the pattern.", "^ls"],
  ])("does not cover %s: %s", (command, why, pattern) => {
    const said = whyNot(pattern, command);
    expect(why.endsWith(": ") ? said?.startsWith(why) : said).toBe(why.endsWith(": ") ? true : why);
  });

  test("covers what a covered command runs, where both are written there", () => {
    expect(whyNot("^timeout 5 node", "timeout 5 node x.js")).toBeNull();
    expect(whyNot("^find \\.", "find . -exec cat {} +")).toBeNull();
    // The rule covers `sh`, but not the script inside.
    expect(whyNot("^sh -c", "sh -c 'rm x'")).toContain("does not match the pattern");
  });

  test("says nothing of targets, which are judged by their effects", () => {
    expect(whyNot(looking, "cat ../x .env $y")).toBeNull();
    expect(decide(policyOfRules([{ tool: "shell_execute", pattern: looking }]), shellCall("cat ../x")).verdict).toBe("require_approval");
  });
});

describe("a pattern of a rule that denies or asks", () => {
  const found = (pattern: string, command: string) => findInShell(patternOf(pattern), readingOf(command));

  test.each([
    ["^rm", "rm x", "The pattern is found in `rm x`."],
    ["secret", "ls; cat secret", "The pattern is found in `ls; cat secret`."],
    ["^rm", "ls; rm x", "The pattern is found in the command `rm x`."],
    ["^rm", "sh -c 'ls; rm x'", "The pattern is found in the command `rm x`."],
    ["^rm", "'r'm x", "The pattern is found in what would run, `rm x`."],
    ["^rm", "/bin/rm x", "The pattern is found in what would run, `rm x`."],
    ["^rm", "sudo -u me rm x", "The pattern is found in what would run, `rm x`."],
    ["^rm", "ls | xargs rm", "The pattern is found in what would run, `rm \uE000`."],
    ["^rm x$", "r\\m 'x'", "The pattern is found in what would run, `rm x`."],
  ])("%s is found in %s", (pattern, command, why) => expect(found(pattern, command)).toEqual({ found: true, why }));

  test("may be in what is known only when it runs, and in what cannot be read", () => {
    expect(found("^rm", "$x a")).toEqual({ found: "unknown", why: "One of its commands has a name that is known only when it runs." });
    expect(found("^rm", "ls; ls 'x")).toMatchObject({ found: "unknown", why: expect.stringContaining("cannot be read as a shell script") });
  });

  test("is in nothing else", () => {
    expect(found("^rm", "ls; ls; echo rm | cat")).toEqual({ found: false });
  });
});
