import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decisions/decision";
import { buildRequest, mcpTool, policyOfRules } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import { decide } from "../decide";
import { compileLazily } from "./argument-pattern";
import type { RuleContent } from "./compile-rule";
import { findException, findPattern } from "./patterns-in-commands";

/** Decides a call of a tool that is not our shell by a rule; without a match, a person is asked. */
function decided(rule: Partial<RuleContent>, args: JsonObject, name = "sandbox__bash") {
  const policy = policyOfRules(
    [
      { tool: "sandbox__*", ...rule },
      { tool: "ssh__*", ...rule },
    ],
    { defaultPolicy: "require_approval" },
  );
  return decide(policy, buildRequest({ ...mcpTool, name }, args), 0);
}
const listing: Partial<RuleContent> = { parameter: "command", pattern: "^ls\\b" };
const whyOf = (rule: Partial<RuleContent>, args: JsonObject) => decided(rule, args).trace[0]?.why;

describe("a rule that allows a command of a tool that evidently runs commands", () => {
  test.each([["ls"], ["ls -la src"], ["ls a && ls b"], ["ls | ls -1"], ["timeout 5 ls"]])("allows what it covers: %s", (command) => {
    expect(decided(listing, { command }).verdict).toBe("allow");
    expect(decided({ ...listing, parameter: "/command" }, { command }, "ssh__run_command").verdict).toBe("allow");
  });
  test.each([
    ["ls; python3 x.py"],
    ["ls; ./deploy.sh"],
    ["ls\nnode build.js"],
    ["ls $(cat x)"],
    ["ls `cat x`"],
    ["ls > out"],
    ["ls & id"],
    ["ls 'a"],
    ["lsof; ls"],
    ["ls -la; python3 ls"],
    ["python3 ls"],
  ])("does not allow more: %s", (command) => {
    expect(decided(listing, { command }).verdict).toBe("require_approval");
    expect(decided(listing, { command }, "ssh__run_command").verdict).toBe("require_approval");
    expect(decided({ ...listing, parameter: "/*" }, { command }).verdict).toBe("require_approval");
  });

  const eachOf = { ...listing, parameter: "/commands/*" };
  const program = { ...listing, pattern: "^(ls|timeout|git status)$" };
  const byHost: Partial<RuleContent> = { parameter: "host", pattern: "^web1$" };
  const notCat: Partial<RuleContent> = { parameter: "command", excludePattern: "^cat" };
  const noCat: Partial<RuleContent> = { parameter: "/command/*", excludePattern: "cat" };
  test.each<[sentence: string, rule: Partial<RuleContent>, args: JsonObject, verdict: Verdict]>([
    ["covers each command of a list", eachOf, { commands: ["ls", "ls -la"] }, "allow"],
    ["covers no list with another command", eachOf, { commands: ["ls", "ls; id"] }, "require_approval"],
    ["covers a list of words as the command that it is", listing, { command: ["ls", "-la"] }, "allow"],
    ["covers a list of words with signs in them", listing, { command: ["ls", "-la;", "id"] }, "allow"],
    ["does not cover the words of another command", listing, { command: ["node", "ls"] }, "require_approval"],
    ["covers a program whose words stand elsewhere", program, { command: "ls", args: ["-la", "a b"] }, "allow"],
    ["covers a subcommand whose words stand elsewhere", program, { command: "git status", args: "--short" }, "allow"],
    ["does not cover what stands elsewhere as a command", program, { command: "ls", args: "-la; node x" }, "require_approval"],
    ["does not cover what a program elsewhere runs", program, { command: "timeout", args: ["5", "node", "x"] }, "require_approval"],
    ["covers what a program elsewhere runs, if it covers that", program, { command: "timeout", args: ["5", "ls"] }, "allow"],
    ["covers a program alone", { ...listing, pattern: "^wc$" }, { command: "wc", args: ["-l"] }, "allow"],
    ["covers a program with its words", { ...listing, pattern: "^ls -la$" }, { command: "ls", args: ["-la"] }, "allow"],
    ["may name the argument deeper", { parameter: "/input/command", pattern: "^ls$" }, { input: { command: "ls" } }, "allow"],
    ["may look at another argument", byHost, { host: "web1", command: "mkdir x; ls > y" }, "allow"],
    ["gives way to an exception found anywhere in it", notCat, { command: "ls; cat x" }, "require_approval"],
    ["gives way to an exception behind quotes", notCat, { command: "ls; c''at x" }, "require_approval"],
    ["does not give way to an exception that is not found", notCat, { command: "ls" }, "allow"],
    ["gives way without a parameter, too", { excludePattern: "^cat" }, { command: "ls; cat x" }, "require_approval"],
    ["does not give way without a parameter", { excludePattern: "^cat" }, { command: "ls" }, "allow"],
    ["gives way to an exception in a list of words", noCat, { command: ["ls", "cat"] }, "require_approval"],
  ])("%s", (_sentence, rule, args, verdict) => expect(decided(rule, args).verdict).toBe(verdict));

  const among = "The pattern sees a command among other things. A rule that allows has to name the argument that is the command.";
  const piece = "The pattern sees a piece of a command. A rule that allows has to name the argument that is the whole command.";
  test.each<[rule: Partial<RuleContent>, args: JsonObject, why: string]>([
    [{ pattern: '"command":"ls' }, { command: "ls" }, among],
    [{ parameter: "input", pattern: "ls" }, { input: { command: "ls" } }, among],
    [{ parameter: "/command/*", pattern: "^(ls|-la)$" }, { command: ["ls", "-la"] }, piece],
  ])("has to name the argument that is the command: %j on %j", (rule, args, why) => expect(whyOf(rule, args)).toBe(why));

  test("matches a list of words in none of which its exception is found", () => {
    expect(decided(noCat, { command: ["ls", "-la"] }).trace[0]?.result).toBe("matched");
  });

  test.each([byHost, {}])("%j may look at another argument, and a danger in the command is asked about all the same", (rule) => {
    const { verdict, findings } = decided(rule, { host: "web1", command: "find . -delete" });
    expect([verdict, ...findings.map(({ detector }) => detector)]).toEqual(
      expect.arrayContaining(["require_approval", "shell.find_delete"]),
    );
  });
});

describe("a rule that denies a command of such a tool", () => {
  const cat: Partial<RuleContent> = { parameter: "command", pattern: "^cat\\b" };
  const notDocs: Partial<RuleContent> = { parameter: "command", pattern: "cat", excludePattern: "^cat docs/" };
  const inWords: Partial<RuleContent> = { parameter: "/command/*", pattern: "cat", excludePattern: "cat" };
  test.each<[sentence: string, rule: Partial<RuleContent>, args: JsonObject, verdict: Verdict]>([
    ["sees it", cat, { command: "cat x" }, "deny"],
    ["sees it beside another", cat, { command: "ls; cat x" }, "deny"],
    ["sees it behind quotes", cat, { command: "c''at x" }, "deny"],
    ["sees what another program runs", cat, { command: "timeout 5 cat x" }, "deny"],
    ["sees it in a list of words", cat, { command: ["cat", "x"] }, "deny"],
    ["sees no other command", cat, { command: "ls" }, "require_approval"],
    ["takes what cannot be read for it", cat, { command: "ls 'x" }, "deny"],
    ["sees a program whose words stand elsewhere", { ...cat, pattern: "^cat$" }, { command: "cat", args: ["x"] }, "deny"],
    ["sees it among other arguments", { pattern: '"cat' }, { command: "cat" }, "deny"],
    ["is excepted by what covers every command", notDocs, { command: "cat docs/a" }, "require_approval"],
    ["is not excepted by what covers one of two", notDocs, { command: "cat docs/a; cat b" }, "deny"],
    ["is not excepted by what is only found", { pattern: "cat", excludePattern: "cat docs" }, { command: "cat docs/a; cat b" }, "deny"],
    ["is not excepted where it sees more than the command", { ...notDocs, parameter: null }, { command: "cat docs/a" }, "deny"],
    ["is not excepted by a piece of the command", inWords, { command: ["cat", "b"] }, "deny"],
  ])("%s", (_sentence, rule, args, verdict) => expect(decided({ verdict: "deny", ...rule }, args).verdict).toBe(verdict));
});

test("what holds commands is the same for many rules as for one", () => {
  const names = ["cat", "head", "tail", "wc", "sort", "uniq", "cut", "tr", "date", "pwd", "stat", "du", "df", "file", "tree", "ls"];
  const rules = names.map((name) => ({ tool: "sandbox__*", parameter: "command", pattern: `^${name} ` }));
  const policy = policyOfRules(rules, { defaultPolicy: "deny" });
  const verdict = (args: JsonObject) => decide(policy, buildRequest({ ...mcpTool, name: "sandbox__bash" }, args), 0).verdict;
  expect(verdict({ command: "ls -la" })).toBe("allow");
  expect(verdict({ command: ["ls", "-la"] })).toBe("allow");
  expect(verdict({ command: "ls -la; node x" })).toBe("deny");
  expect(verdict({ command: "node x" })).toBe("deny");
});

describe("what a rule says of a command", () => {
  test.each<[rule: Partial<RuleContent>, command: string, why: string]>([
    [{ pattern: "^ls\\b" }, "ls -la", "The command `ls -la` matches the pattern."],
    [{ pattern: "^ls\\b" }, "ls a; ls b && ls c", "All 3 commands match the pattern."],
    [{ verdict: "deny", pattern: "^cat\\b" }, "ls -la", "The pattern is not found in `ls -la`."],
    [{ verdict: "deny", pattern: "^cat\\b" }, "ls; c''at x", "The pattern is found in what would run, `cat x`."],
    [{ pattern: "^ls\\b", excludePattern: "^cat" }, "ls; ls", "All 2 commands match the pattern."],
    [{ excludePattern: "^cat" }, "ls; cat x", "The exception applies. The pattern is found in the command `cat x`."],
  ])("%j of %j: %s", (rule, command, why) => expect(whyOf({ parameter: "command", ...rule }, { command })).toBe(why));

  test("it cannot read is what it could not read", () => {
    expect(whyOf({ parameter: "command", verdict: "deny", pattern: "^cat" }, { command: "ls 'x" })).toMatch(
      /^The command cannot be read as a shell script with certainty: /,
    );
  });
});

test("what no rule that allows covers alone matters to no other rule", () => {
  expect(decided({ verdict: "deny" }, { command: "find . -delete" }).trace[0]?.result).toBe("matched");
  expect(whyOf({ parameter: "host", pattern: "^web2$" }, { host: "web1", command: "find . -delete" })).toBe(
    "The pattern is not found in `web1`.",
  );
});

describe("of several commands in one place", () => {
  const { commands } = analyzeCall(buildRequest({ ...mcpTool, name: "sandbox__bash" }, { commands: ["ls -la", "cat x"] }));
  const seen = { text: "ls -la", commandsAt: { is: "command", commands: commands.slice(1) } } as const;
  const pattern = (source: string) => {
    const compiled = compileLazily(source);
    if (!compiled.ok) throw new Error(compiled.error.message);
    return compiled.pattern;
  };

  test("a rule that allows covers every one, and one that denies is about each", () => {
    expect(seen.commandsAt.commands.map(({ reading }) => reading.text)).toEqual(["ls -la", "cat x"]);
    expect(findPattern("allow", pattern("^ls"), seen).holds).toBe(false);
    expect(findPattern("allow", pattern("^(ls|cat)"), seen).holds).toBe(true);
    expect(findPattern("deny", pattern("^cat"), seen).holds).toBe(true);
    expect(findPattern("deny", pattern("^rm"), seen).holds).toBe(false);
  });
  test("an exception from a rule that denies covers every one, too", () => {
    expect(findException("deny", pattern("^ls"), seen).holds).toBe(false);
    expect(findException("deny", pattern("^(ls|cat)"), seen).holds).toBe(true);
    expect(findException("allow", pattern("^cat"), seen).holds).toBe(true);
  });
});
