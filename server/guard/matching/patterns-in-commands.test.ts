import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
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

  test("covers each command of a list, and no piece of one", () => {
    const each = { ...listing, parameter: "/commands/*" };
    expect(decided(each, { commands: ["ls", "ls -la"] }).verdict).toBe("allow");
    expect(decided(each, { commands: ["ls", "ls; id"] }).verdict).toBe("require_approval");
    expect(decided({ parameter: "/command/*", pattern: "^(ls|-la)$" }, { command: ["ls", "-la"] }).trace[0]?.why).toBe(
      "The pattern sees a piece of a command. A rule that allows has to name the argument that is the whole command.",
    );
  });
  test("covers a list of words as the command that it is", () => {
    expect(decided(listing, { command: ["ls", "-la"] }).verdict).toBe("allow");
    expect(decided(listing, { command: ["ls", "-la;", "id"] }).verdict).toBe("allow");
    expect(decided(listing, { command: ["node", "ls"] }).verdict).toBe("require_approval");
  });
  test("covers a program whose arguments stand elsewhere by what stands in its place", () => {
    const program = { ...listing, pattern: "^(ls|timeout|git status)$" };
    expect(decided(program, { command: "ls", args: ["-la", "a b"] }).verdict).toBe("allow");
    expect(decided(program, { command: "git status", args: "--short" }).verdict).toBe("allow");
    expect(decided(program, { command: "ls", args: "-la; node x" }).verdict).toBe("require_approval");
    expect(decided(program, { command: "timeout", args: ["5", "node", "x"] }).verdict).toBe("require_approval");
    expect(decided(program, { command: "timeout", args: ["5", "ls"] }).verdict).toBe("allow");
    expect(decided({ ...listing, pattern: "^wc$" }, { command: "wc", args: ["-l"] }).verdict).toBe("allow");
    expect(decided({ ...listing, pattern: "^ls -la$" }, { command: "ls", args: ["-la"] }).verdict).toBe("allow");
  });

  test("has to name the argument that is the command", () => {
    const why = "The pattern sees a command among other things. A rule that allows has to name the argument that is the command.";
    expect(whyOf({ pattern: '"command":"ls' }, { command: "ls" })).toBe(why);
    expect(whyOf({ parameter: "input", pattern: "ls" }, { input: { command: "ls" } })).toBe(why);
    expect(decided({ parameter: "/input/command", pattern: "^ls$" }, { input: { command: "ls" } }).verdict).toBe("allow");
  });
  test("may look at another argument, and what is found in the command is asked about all the same", () => {
    const byHost: Partial<RuleContent> = { parameter: "host", pattern: "^web1$" };
    expect(decided(byHost, { host: "web1", command: "mkdir x; ls > y" }).verdict).toBe("allow");
    for (const rule of [byHost, {}]) {
      const { verdict, findings } = decided(rule, { host: "web1", command: "find . -delete" });
      expect([verdict, ...findings.map(({ detector }) => detector)]).toEqual(
        expect.arrayContaining(["require_approval", "shell.find_delete"]),
      );
    }
  });
  test("gives way to an exception that is found anywhere in it", () => {
    const except = (excludePattern: string, args: JsonObject) => decided({ parameter: "command", excludePattern }, args).verdict;
    expect(except("^cat", { command: "ls; cat x" })).toBe("require_approval");
    expect(except("^cat", { command: "ls; c''at x" })).toBe("require_approval");
    expect(except("^cat", { command: "ls" })).toBe("allow");
    expect(decided({ excludePattern: "^cat" }, { command: "ls; cat x" }).verdict).toBe("require_approval");
    expect(decided({ excludePattern: "^cat" }, { command: "ls" }).verdict).toBe("allow");
    expect(decided({ parameter: "/command/*", excludePattern: "cat" }, { command: ["ls", "cat"] }).verdict).toBe("require_approval");
    expect(decided({ parameter: "/command/*", excludePattern: "cat" }, { command: ["ls", "-la"] }).trace[0]?.result).toBe("matched");
  });
});

describe("a rule that denies a command of such a tool", () => {
  const denied = (rule: Partial<RuleContent>, args: JsonObject) => decided({ verdict: "deny", ...rule }, args).verdict;
  test("sees it as it would run", () => {
    const rule = { parameter: "command", pattern: "^cat\\b" };
    for (const command of ["cat x", "ls; cat x", "c''at x", "timeout 5 cat x"]) expect(denied(rule, { command })).toBe("deny");
    expect(denied(rule, { command: ["cat", "x"] })).toBe("deny");
    expect(denied(rule, { command: "ls" })).toBe("require_approval");
    expect(denied(rule, { command: "ls 'x" })).toBe("deny");
    expect(denied({ ...rule, pattern: "^cat$" }, { command: "cat", args: ["x"] })).toBe("deny");
    expect(denied({ pattern: '"cat' }, { command: "cat" })).toBe("deny");
  });
  test("is excepted only by what covers every command", () => {
    const rule = { parameter: "command", pattern: "cat", excludePattern: "^cat docs/" };
    expect(denied(rule, { command: "cat docs/a" })).toBe("require_approval");
    expect(denied(rule, { command: "cat docs/a; cat b" })).toBe("deny");
    expect(denied({ pattern: "cat", excludePattern: "cat docs" }, { command: "cat docs/a; cat b" })).toBe("deny");
    // The exception does not apply when the pattern sees more than the command.
    expect(denied({ pattern: "cat", excludePattern: "^cat docs/" }, { command: "cat docs/a" })).toBe("deny");
    expect(denied({ parameter: "/command/*", pattern: "cat", excludePattern: "cat" }, { command: ["cat", "b"] })).toBe("deny");
  });
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
