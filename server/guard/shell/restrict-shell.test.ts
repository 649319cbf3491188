import { describe, expect, test } from "vitest";
import { compilePattern } from "../matching/argument-pattern";
import { findInShell } from "./restrict-shell";
import { readShell } from "./running-commands";

function found(source: string, command: string) {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return findInShell(compiled.pattern, readShell(command));
}

describe("a pattern of a rule that denies or asks", () => {
  test.each([
    ["rm", "ls; rm x", "The pattern is found in `ls; rm x`."],
    ["^rm x$", "ls; rm x", "The pattern is found in the command `rm x`."],
    ["^rm x$", "'r'm 'x'", "The pattern is found in what would run, `rm x`."],
    ["^rm x$", "/bin/rm x", "The pattern is found in what would run, `rm x`."],
    ["^/bin/rm x$", "sudo /bin/rm x", "The pattern is found in what would run, `/bin/rm x`."],
    ["^rm x$", "sudo /bin/rm x", "The pattern is found in what would run, `rm x`."],
    ["^rm x$", "ls; sh -c 'rm x'", "The pattern is found in what would run, `rm x`."],
    ["^rm x$", "$X; rm x", "The pattern is found in the command `rm x`."],
    ["ls", "ls $(", "The pattern is found in `ls $(`."],
  ])("%s is found in %j", (source, command, why) => {
    expect(found(source, command)).toEqual({ found: true, why });
  });

  test.each([
    ["rm", "ls"],
    ["^rm", "ls rm; ls 'rm x'"],
    ["^x$", "sudo rm x"],
  ])("%s is not in %j", (source, command) => {
    expect(found(source, command)).toEqual({ found: false });
  });

  test("is looked for once in each text", () => {
    const asked: string[] = [];
    const compiled = compilePattern("rm");
    if (!compiled.ok) throw new Error(compiled.error.message);
    findInShell({ ...compiled.pattern, isFoundIn: (text) => asked.push(text) < 0 }, readShell("ls -a; ls -a; /bin/ls -a"));
    expect(asked).toEqual(["ls -a; ls -a; /bin/ls -a", "ls -a", "/bin/ls -a"]);
  });

  test.each([
    ["ls $(", expect.stringMatching(/^The command cannot be read as a shell script with certainty: .+\.$/)],
    ["$X x", "One of its commands has a name that is only known when it runs."],
    ["ls; sudo $X; ls", "One of its commands has a name that is only known when it runs."],
  ])("may be in %j, which nobody can say", (command, why) => {
    expect(found("rm", command)).toEqual({ found: "unknown", why });
  });
});
