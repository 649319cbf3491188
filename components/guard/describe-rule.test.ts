import { describe, expect, test } from "vitest";
import { Comparison, RuleContext } from "@/contracts/rule-conditions";
import { describeRule, writeRuleSentence } from "./describe-rule";

const rule = { tool: "shell_execute", parameter: null, pattern: null, verdict: "allow" } as const;

describe("a rule as one sentence", () => {
  test("names the tool's main argument when the rule names none", () => {
    expect(writeRuleSentence({ ...rule, pattern: "^(ls|cat)\\b" }, "command")).toBe(
      "Allow shell_execute when command starts with ls or cat",
    );
  });

  test("names the rule's own parameter before the tool's main argument", () => {
    expect(writeRuleSentence({ ...rule, parameter: "cwd", pattern: "^build" }, "command")).toBe(
      "Allow shell_execute when cwd starts with build",
    );
  });

  test("shows a pattern that has no plain words", () => {
    expect(writeRuleSentence({ ...rule, verdict: "deny", pattern: "^\\d+$" }, null)).toBe(
      "Deny shell_execute when its main argument matches ^\\d+$",
    );
  });

  test.each([
    ["*", "Ask a person before every tool"],
    ["effect:write", "Ask a person before every tool that writes"],
    ["source:mcp", "Ask a person before every tool of an MCP server"],
    ["source:acp", "Ask a person before every tool with source acp"],
    ["needs:http", "Ask a person before every tool that needs http"],
    ["fs__*", "Ask a person before every tool named fs__*"],
  ])("the tool pattern %s reads: %s", (tool, sentence) => {
    expect(writeRuleSentence({ ...rule, tool, verdict: "require_approval" }, null)).toBe(sentence);
  });

  test("says what is compared, what is excepted, and where and when it holds", () => {
    const asks = {
      ...rule,
      pattern: "^ls",
      excludePattern: "-R$",
      comparisons: [
        { parameter: "timeoutSeconds", operator: "<=", value: 10 },
        { parameter: "mode", operator: "in", value: ["a", "b"] },
        { parameter: "/env/PATH", operator: "not exists" },
      ] as const,
    };
    expect(writeRuleSentence({ ...asks, comparisons: asks.comparisons.map((part) => Comparison.parse(part)) }, "command")).toBe(
      "Allow shell_execute when command starts with ls and timeoutSeconds is at most 10 and mode is one of a, b and /env/PATH is not given, except when command ends with -R",
    );
    const context = RuleContext.parse({
      agents: ["buyer"],
      actors: ["user"],
      origins: ["chat", "cron"],
      interactive: true,
      time: { days: ["mon", "tue"], from: "09:00", to: "17:00", zone: "Europe/Berlin" },
    });
    expect(writeRuleSentence({ ...rule, context }, null)).toBe(
      "Allow shell_execute, for the agent buyer, asked by a person, from a chat or a schedule, while a person can be asked, on Mon, Tue from 09:00 to 17:00 (Europe/Berlin)",
    );
    expect(writeRuleSentence({ ...rule, pattern: "^ls", excludePattern: "-R$" }, "command")).toBe(
      "Allow shell_execute when command starts with ls, except when it ends with -R",
    );
  });

  test("what a machine reads is marked", () => {
    const machine = describeRule({ ...rule, pattern: "a+" }, "command").filter((phrase) => phrase.machine);
    expect(machine.map(({ text }) => text)).toEqual(["shell_execute", "command", "a+"]);
  });
});
