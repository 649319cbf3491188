import { describe, expect, test } from "vitest";
import type { RuleApprovers } from "@/contracts/decisions/approvers";
import { Comparison, RuleContext } from "@/contracts/guard/rule-conditions";
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

  test("says who is asked, how many of them, who joins them later, and when the rule ends", () => {
    const ask = { ...rule, verdict: "require_approval" } as const;
    const ada = "01a20270-507a-73bb-8cf0-bfa1fac0932a";
    const names = { nameOf: (id: string) => (id === ada ? "Ada" : null), requesterMayDecide: "never" } as const;
    const nobody = { roles: [], users: [], quorum: 1, escalation: null };
    const sentence = (approvers: RuleApprovers | null, known?: typeof names) => writeRuleSentence({ ...ask, approvers }, null, known);
    expect(sentence({ ...nobody, quorum: 2 })).toBe("Ask 2 people before shell_execute");
    expect(sentence({ ...nobody, roles: ["admin"] })).toBe("Ask an admin before shell_execute");
    expect(sentence({ ...nobody, roles: ["owner", "approver"], users: [ada], quorum: 2 }, names)).toBe(
      "Ask 2 of the owners, the approvers or Ada, never the requester, before shell_execute",
    );
    expect(sentence({ ...nobody, users: [ada] })).toBe("Ask 01a20270… before shell_execute");
    expect(sentence(null, names)).toBe("Ask a person, never the requester, before shell_execute");
    const escalation = { afterSeconds: 1_800, roles: ["owner" as const], users: [] };
    expect(
      writeRuleSentence({ ...ask, pattern: "^rm", approvers: { ...nobody, escalation }, expiresAt: "2026-12-03T18:00:00Z" }, "command"),
    ).toBe("Ask a person before shell_execute when command starts with rm, after 30 min also an owner, until 3 Dec 2026, 18:00 UTC");
    expect(writeRuleSentence({ ...rule, approvers: { ...nobody, quorum: 2 } }, null)).toBe("Allow shell_execute");
  });

  test("what a machine reads is marked", () => {
    const machine = describeRule({ ...rule, pattern: "a+" }, "command").filter((phrase) => phrase.machine);
    expect(machine.map(({ text }) => text)).toEqual(["shell_execute", "command", "a+"]);
  });
});
