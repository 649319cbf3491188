import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decisions/decision";
import { type Comparison, RuleContext, TimeWindow } from "@/contracts/guard/rule-conditions";
import { buildRequest, buildRule, mcpTool, policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import type { GuardContext } from "../call/guard-request";
import { decide } from "../decide";
import { compileRule, type RuleContent } from "./compile-rule";
import { evaluateRule } from "./evaluate-rule";

/** Evaluates a rule on a call and decides the call; without a match the call is denied. */
function tried(rule: Partial<RuleContent>, args: JsonObject, context: Partial<GuardContext> = {}, at = 0) {
  const policy = policyOfRules([{ tool: mcpTool.name, verdict: "allow", ...rule }], { defaultPolicy: "deny" });
  const call = buildRequest(mcpTool, args);
  const { trace, verdict } = decide(policy, { ...call, context: { ...call.context, ...context } }, at);
  return { result: trace[0]?.result, why: trace[0]?.why, verdict };
}

const payment = { amount: 250, currency: "EUR", dryRun: false, note: null, to: ["a", "b"], empty: [] };

describe("a comparison", () => {
  test.each<[comparison: Comparison, result: "matched" | "not_matched" | "could_not_evaluate"]>([
    [{ parameter: "amount", operator: ">", value: 100 }, "matched"],
    [{ parameter: "amount", operator: ">", value: 250 }, "not_matched"],
    [{ parameter: "amount", operator: ">=", value: 250 }, "matched"],
    [{ parameter: "amount", operator: "<", value: 250 }, "not_matched"],
    [{ parameter: "amount", operator: "<=", value: 250 }, "matched"],
    [{ parameter: "currency", operator: ">", value: 1 }, "could_not_evaluate"],
    [{ parameter: "missing", operator: "<", value: 1 }, "could_not_evaluate"],
    [{ parameter: "currency", operator: "in", value: ["EUR", "USD"] }, "matched"],
    [{ parameter: "currency", operator: "in", value: ["GBP"] }, "not_matched"],
    [{ parameter: "currency", operator: "not in", value: ["GBP"] }, "matched"],
    [{ parameter: "amount", operator: "not in", value: ["250"] }, "could_not_evaluate"],
    [{ parameter: "amount", operator: "in", value: [250] }, "matched"],
    [{ parameter: "dryRun", operator: "=", value: false }, "matched"],
    [{ parameter: "dryRun", operator: "=", value: true }, "not_matched"],
    [{ parameter: "dryRun", operator: "!=", value: true }, "matched"],
    [{ parameter: "amount", operator: "=", value: "250" }, "could_not_evaluate"],
    [{ parameter: "note", operator: "=", value: null }, "matched"],
    [{ parameter: "note", operator: "!=", value: "x" }, "could_not_evaluate"],
    [{ parameter: "note", operator: "exists" }, "matched"],
    [{ parameter: "toString", operator: "exists" }, "not_matched"],
    [{ parameter: "missing", operator: "not exists" }, "matched"],
    [{ parameter: "/to/1", operator: "=", value: "b" }, "matched"],
    [{ parameter: "/to/01", operator: "=", value: "b" }, "could_not_evaluate"],
    [{ parameter: "/to/length", operator: "exists" }, "not_matched"],
    [{ parameter: "amount", operator: "<", value: 251 }, "matched"],
    [{ parameter: "amount", operator: "<", value: 249 }, "not_matched"],
    [{ parameter: "amount", operator: ">=", value: 251 }, "not_matched"],
    [{ parameter: "amount", operator: ">=", value: 249 }, "matched"],
    [{ parameter: "amount", operator: ">", value: 251 }, "not_matched"],
    [{ parameter: "amount", operator: "<=", value: 249 }, "not_matched"],
    [{ parameter: "amount", operator: "<=", value: 251 }, "matched"],
    [{ parameter: "amount", operator: "=", value: 250 }, "matched"],
    [{ parameter: "amount", operator: "!=", value: 250 }, "not_matched"],
    [{ parameter: "currency", operator: "not in", value: ["EUR"] }, "not_matched"],
    [{ parameter: "currency", operator: "=", value: "eur" }, "not_matched"],
    [{ parameter: "amount", operator: "exists" }, "matched"],
    [{ parameter: "amount", operator: "not exists" }, "not_matched"],
    [{ parameter: "missing", operator: "exists" }, "not_matched"],
    [{ parameter: "/to/*", operator: "exists" }, "matched"],
    [{ parameter: "/to/2", operator: "exists" }, "not_matched"],
    [{ parameter: "/empty/*", operator: "exists" }, "not_matched"],
    [{ parameter: "/empty/*", operator: "not exists" }, "matched"],
    [{ parameter: "/to/10", operator: "not exists" }, "matched"],
    [{ parameter: "/none/*", operator: "exists" }, "not_matched"],
    [{ parameter: "/amount/x", operator: "exists" }, "not_matched"],
    [{ parameter: "/note/x", operator: "exists" }, "not_matched"],
    [{ parameter: "to", operator: "=", value: "a" }, "could_not_evaluate"],
    [{ parameter: "note", operator: "in", value: ["a"] }, "could_not_evaluate"],
  ])("%j is %s", (comparison, result) => expect(tried({ comparisons: [comparison] }, payment).result).toBe(result));

  test("which cannot be evaluated makes a rule that denies or asks match, and one that allows not", () => {
    const comparisons: Comparison[] = [{ parameter: "amount", operator: ">", value: 100 }];
    for (const [verdict, outcome] of [
      ["allow", "deny"],
      ["deny", "deny"],
      ["require_approval", "require_approval"],
    ] as [Verdict, Verdict][]) {
      expect(tried({ comparisons, verdict }, { amount: "250" })).toMatchObject({ result: "could_not_evaluate", verdict: outcome });
    }
  });

  test("that does not hold makes a rule not match, whatever cannot be known of the others", () => {
    const comparisons: Comparison[] = [
      { parameter: "missing", operator: ">", value: 100 },
      { parameter: "amount", operator: ">", value: 1_000 },
    ];
    expect(tried({ comparisons, verdict: "deny" }, payment).result).toBe("not_matched");
  });

  test.each<[comparison: Comparison, why: string]>([
    [{ parameter: "amount", operator: "<", value: 100 }, "`amount` is `250`: `amount < 100` does not hold."],
    [{ parameter: "amount", operator: "exists" }, "The call has an argument `amount`."],
    [{ parameter: "missing", operator: "not exists" }, "The call has no argument `missing`."],
    [{ parameter: "missing", operator: ">", value: 1 }, "The call has no argument `missing`, which `missing > 1` needs. "],
    [{ parameter: "/from/*", operator: "=", value: "x" }, 'The call has no member `from`, which `/from/* = "x"` needs. '],
    [{ parameter: "/amount/*", operator: "=", value: "x" }, "The argument `/amount` is not a list or an object, which "],
    [{ parameter: "/to/x/y", operator: "=", value: "x" }, "The argument `/to` has no member `x`, which "],
    [{ parameter: "/body/a/b", operator: "=", value: "x" }, "The argument `/body/a` has no member `b`, which "],
    [{ parameter: "/empty/*", operator: "=", value: "x" }, "There is nothing at `/empty/*`."],
    [{ parameter: "to", operator: "=", value: "a" }, '`to` is a list, `["a","b"]`, and `to = "a"` compares with a text. '],
    [{ parameter: "dryRun", operator: ">", value: 1 }, "`dryRun` is true or false, `false`, and `dryRun > 1` compares with a number. "],
    [{ parameter: "note", operator: "in", value: [1, 2] }, "`note` is null, `null`, and `note in [1,2]` compares with a number. "],
    [{ parameter: "body", operator: "=", value: true }, '`body` is an object, `{"a":1}`, and `body = true` compares with true or false. '],
  ])("%j says what it saw", (comparison, why) => {
    const found = tried({ comparisons: [comparison] }, { ...payment, body: { a: 1 } }).why;
    expect(found?.startsWith(why), found).toBe(true);
  });

  test("says of a missing argument that an allowing rule does not match then, and that others do", () => {
    const comparisons: Comparison[] = [{ parameter: "missing", operator: "=", value: 1 }];
    expect(tried({ comparisons }, {}).why).toMatch(/ A rule that allows does not match then\.$/);
    expect(tried({ comparisons, verdict: "deny" }, {}).why).toMatch(/ A rule that denies or asks counts as matching then\.$/);
  });

  test("beside others says all that holds, or all that is not known", () => {
    const holding: Comparison[] = [
      { parameter: "amount", operator: ">", value: 100 },
      { parameter: "currency", operator: "=", value: "EUR" },
    ];
    expect(tried({ comparisons: holding }, payment).why).toBe(
      '`amount` is `250`: `amount > 100` holds. `currency` is `"EUR"`: `currency = "EUR"` holds.',
    );
    expect(tried({ comparisons: holding, parameter: "currency", pattern: "^E" }, payment).why).toMatch(
      /holds\. The pattern is found in `EUR`\.$/,
    );
    expect(tried({ comparisons: holding, parameter: "currency", excludePattern: "^U" }, payment).why).toMatch(
      /holds\. The rule has no pattern but an exception\.$/,
    );
    const unclear = tried({ comparisons: holding, parameter: "missing", pattern: "^E+" }, payment);
    expect(unclear.why).toBe(
      "The call has no argument `missing` that the pattern could be tried on. A rule that allows does not match then.",
    );
    const twice: Comparison[] = [{ parameter: "note", operator: "=", value: "x" }, ...holding];
    expect(tried({ comparisons: twice, parameter: "missing", pattern: "^E+" }, payment)).toMatchObject({
      result: "could_not_evaluate",
      why: expect.stringMatching(/^`note` is null, .* text\. The call has no argument `missing` that/),
    });
  });

  test("with a pattern that is not found makes the rule not match", () => {
    const comparisons: Comparison[] = [{ parameter: "amount", operator: ">", value: 100 }];
    expect(tried({ comparisons, parameter: "currency", pattern: "^U", verdict: "deny" }, payment)).toMatchObject({
      result: "not_matched",
      why: "The pattern is not found in `EUR`.",
    });
  });

  test("says what it saw", () => {
    expect(tried({ comparisons: [{ parameter: "amount", operator: ">", value: 100 }] }, payment).why).toBe(
      "`amount` is `250`: `amount > 100` holds.",
    );
    expect(tried({ comparisons: [{ parameter: "currency", operator: ">", value: 100 }] }, payment).why).toBe(
      '`currency` is a text, `"EUR"`, and `currency > 100` compares with a number. A rule that allows does not match then.',
    );
  });
});

describe("a JSON pointer with *", () => {
  const items = { items: [{ path: "tmp/a" }, { path: "etc/b" }] };

  test("makes a rule that allows hold for every member, and one that denies for one", () => {
    const pattern = { parameter: "/items/*/path", pattern: "^tmp/" };
    expect(tried({ ...pattern, verdict: "allow" }, items)).toMatchObject({ result: "not_matched", verdict: "deny" });
    expect(tried({ ...pattern, verdict: "allow" }, { items: [{ path: "tmp/a" }] }).result).toBe("matched");
    expect(tried({ ...pattern, verdict: "require_approval" }, items).result).toBe("matched");
    const comparisons: Comparison[] = [{ parameter: "/items/*/path", operator: "in", value: ["tmp/a"] }];
    expect(tried({ comparisons, verdict: "allow" }, items).result).toBe("not_matched");
    expect(tried({ comparisons, verdict: "deny" }, items).result).toBe("matched");
  });

  test("does not match where there is nothing, and cannot be evaluated where a member lacks what is asked", () => {
    const rule = { parameter: "/items/*/path", pattern: "x" };
    expect(tried(rule, { items: [] })).toMatchObject({ result: "not_matched", why: "There is nothing at `/items/*/path`." });
    expect(tried({ ...rule, verdict: "deny" }, { items: [] }).result).toBe("not_matched");
    expect(tried({ ...rule, verdict: "deny" }, { items: [{ path: "a" }, {}] })).toMatchObject({
      result: "could_not_evaluate",
      verdict: "deny",
    });
    expect(tried({ ...rule, verdict: "require_approval" }, { items: "x" }).result).toBe("could_not_evaluate");
    expect(tried({ parameter: "/a~1b/m~0n", pattern: "^x$" }, { "a/b": { "m~n": "x" } }).result).toBe("matched");
  });
});

describe("a condition about several values", () => {
  const rule = (verdict: Verdict) => ({ verdict, comparisons: [{ parameter: "/to/*", operator: "=", value: "a" }] satisfies Comparison[] });

  test.each<[values: JsonObject["to"], allow: string, deny: string]>([
    [["a", "a"], "matched", "matched"],
    [["b", "c"], "not_matched", "not_matched"],
    [["a", "b"], "not_matched", "matched"],
    [["b", "a"], "not_matched", "matched"],
    [["a", "b", "a"], "not_matched", "matched"],
    [["b", "a", "b"], "not_matched", "matched"],
    // A value that decides alone wins, then an unknown value, in any position.
    [["a", 1], "could_not_evaluate", "matched"],
    [[1, "a"], "could_not_evaluate", "matched"],
    [["b", 1], "not_matched", "could_not_evaluate"],
    [[1, "b"], "not_matched", "could_not_evaluate"],
    [["a", 1, "a"], "could_not_evaluate", "matched"],
    [["b", 1, "b"], "not_matched", "could_not_evaluate"],
    [["a", 1, "b"], "not_matched", "matched"],
    [["b", 1, "a"], "not_matched", "matched"],
  ])("%j: for a rule that allows %s, for one that denies %s", (to, allow, deny) => {
    expect(tried(rule("allow"), { to: to ?? null }).result).toBe(allow);
    expect(tried(rule("deny"), { to: to ?? null }).result).toBe(deny);
    expect(tried(rule("require_approval"), { to: to ?? null }).result).toBe(deny);
  });

  test("says which of them decides", () => {
    const more = { parameter: "/to/*", operator: ">", value: 1 } as const;
    expect(tried({ comparisons: [more], verdict: "deny" }, { to: [1, 2, 3] }).why).toBe("`/to/*` is `2`: `/to/* > 1` holds.");
    expect(tried({ comparisons: [more] }, { to: [2, 1, 0] }).why).toBe("`/to/*` is `1`: `/to/* > 1` does not hold.");
  });

  test("is not evaluated for more than a thousand of them", () => {
    const many = (count: number) => ({ to: Array.from({ length: count }, () => "a") });
    expect(tried(rule("allow"), many(1_000)).result).toBe("matched");
    const tooMany = tried(rule("deny"), many(1_001));
    expect(tooMany).toMatchObject({ result: "could_not_evaluate", verdict: "deny" });
    expect(tooMany.why).toContain("`/to/*` stands for more than 1,000 values");
  });

  test("may be about the members of an object, which are its own", () => {
    const headers = { parameter: "/headers/*", pattern: "^a" };
    expect(tried(headers, { headers: { x: "a", y: "ab" } }).result).toBe("matched");
    expect(tried(headers, { headers: { x: "a", y: "b" } }).result).toBe("not_matched");
    expect(tried({ parameter: "/headers/constructor", pattern: "" }, { headers: {} }).result).toBe("could_not_evaluate");
  });
});

/** A rule for paths below tmp, but for those that climb. */
const belowTmp = { parameter: "path", pattern: "^tmp/", excludePattern: "\\.\\." };

describe("an exception", () => {
  test.each<[sentence: string, rule: Partial<RuleContent>, path: string, result: string, why?: string]>([
    ["takes nothing where it is not found", belowTmp, "tmp/a", "matched"],
    ["takes away what a pattern found", belowTmp, "tmp/../etc", "not_matched", "The exception is found in `tmp/../etc`."],
    ["alone lets the rest match", { ...belowTmp, pattern: null }, "a", "matched", "The rule has no pattern but an exception."],
    ["takes from a rule that denies, too", { ...belowTmp, verdict: "deny" }, "tmp/..", "not_matched"],
    ["that is not valid leaves the rule undecided", { ...belowTmp, excludePattern: "(" }, "tmp/a", "could_not_evaluate"],
    ["that is not valid matters only where the pattern is found", { ...belowTmp, excludePattern: "(" }, "etc", "not_matched"],
  ])("%s", (_sentence, rule, path, result, why) => {
    const found = tried(rule, { path });
    expect(found).toMatchObject({ result, ...(why ? { why } : {}) });
  });

  test("that is not valid says what is wrong with it", () => {
    expect(tried({ ...belowTmp, excludePattern: "(" }, { path: "tmp/a" }).why).toMatch(/^The exception is not valid: missing closing \)/);
  });

  test("a pattern that is not valid leaves the rule undecided, and says so", () => {
    const broken = tried({ parameter: "path", pattern: "^(tmp", verdict: "deny" }, { path: "tmp/a" });
    expect(broken).toMatchObject({ result: "could_not_evaluate", verdict: "deny" });
    expect(broken.why).toMatch(/^The pattern is not valid: missing closing \) at character 2/);
  });

  test("that would take too long leaves the rule undecided", () => {
    const found = tried({ parameter: "path", pattern: "^aa", excludePattern: "(a{1,500}){1,2}b" }, { path: "a".repeat(64_000) });
    expect(found).toMatchObject({ result: "could_not_evaluate", verdict: "deny" });
    expect(found.why).toContain("It could not be looked at: The pattern would take too long on a text");
  });

  test.each([new Error("broken"), "broken"])("that breaks leaves the rule undecided, whatever is thrown: %s", (thrown) => {
    const pattern = () => {
      throw thrown;
    };
    const rule = { ...compileRule(buildRule({ verdict: "deny" })), pattern };
    const { result, why } = evaluateRule(rule, analyzeCall(buildRequest(mcpTool, {})), 0);
    expect([result, why()]).toEqual(["could_not_evaluate", expect.stringContaining("It could not be looked at: broken.")]);
  });

  const notTmp = { verdict: "deny", pattern: "\\brm\\b", excludePattern: "^rm (-r )?tmp/" } as const;
  const noForce = { verdict: "allow", pattern: "^git\\b", excludePattern: "--force" } as const;
  const notLs = { verdict: "deny", excludePattern: "^ls\\b" } as const;
  const notRm = { verdict: "allow", excludePattern: "^rm\\b" } as const;
  test.each<[sentence: string, rule: Partial<RuleContent>, command: string, result: string]>([
    ["from a rule that denies takes nothing where it is not found", notTmp, "rm x", "matched"],
    ["from a rule that denies takes a command that it covers", notTmp, "rm tmp/a", "not_matched"],
    ["from a rule that denies takes no command beside another", notTmp, "rm tmp/a; rm b", "matched"],
    ["from a rule that denies takes no command with a substitution", notTmp, "rm tmp/a; $(rm b)", "matched"],
    ["from a rule that denies takes nothing by a word that only names it", notTmp, "echo 'rm tmp/a'; rm b", "matched"],
    ["that cannot be read leaves a rule that allows undecided", notRm, "ls 'x", "could_not_evaluate"],
    ["of which the name is not known leaves a rule that allows undecided", notRm, "$(cat name) x", "could_not_evaluate"],
    ["alone makes a rule that denies one for everything else, which this is not", notLs, "ls -la", "not_matched"],
    ["alone makes a rule that denies one for everything else, which this is", notLs, "rm x", "matched"],
    ["alone makes a rule that allows one for everything else, which this is not", notRm, "rm x", "not_matched"],
    ["alone makes a rule that allows one for everything else, which this is", notRm, "ls", "matched"],
    ["from a rule that allows takes nothing where it is not found", noForce, "git push", "matched"],
    ["from a rule that allows takes whatever it is found in", noForce, "git push --force", "not_matched"],
    ["from a rule that allows takes what it is found in without quotes", noForce, "git push --fo'rce'", "not_matched"],
  ])("%s", (_sentence, rule, command, result) => {
    const policy = policyOfRules([{ tool: "shell_execute", ...rule }], { defaultPolicy: "allow" });
    expect(decide(policy, shellCall(command), 0).trace[0]?.result).toBe(result);
  });

  test("says how it applies to a command", () => {
    const whyOf = (rule: Partial<RuleContent>, command: string) =>
      decide(policyOfRules([{ tool: "shell_execute", ...rule }]), shellCall(command), 0).trace[0]?.why;
    expect(whyOf(notTmp, "rm tmp/a")).toBe("The exception covers every command of `rm tmp/a`.");
    expect(whyOf(noForce, "git push --force")).toMatch(/^The exception applies\. /);
  });
});

test.each([1, 8, 9, 100])("among %i other arguments a pattern sees its own, and tells of it", (count) => {
  const others = Object.fromEntries(Array.from({ length: count }, (_, place) => [`other_${place}`, `text ${place}`]));
  const rule = { parameter: "path", pattern: "^tmp/" };
  expect(tried(rule, { ...others, path: "tmp/a" })).toMatchObject({ result: "matched", why: "The pattern is found in `tmp/a`." });
  expect(tried(rule, { ...others, path: "a\nb" })).toMatchObject({ result: "not_matched", why: "The pattern is not found in `a⏎b`." });
});

test("a command is seen as a command however its argument is named", () => {
  const policy = policyOfRules([{ tool: "shell_execute", parameter: "/command", pattern: "^ls", verdict: "allow" }]);
  expect(decide(policy, shellCall("ls -la"), 0).verdict).toBe("allow");
  expect(decide(policy, shellCall("ls; rm x"), 0).verdict).toBe("require_approval");
});

test("an allow rule about another argument does not let a dangerous command pass", () => {
  const policy = policyOfRules([{ tool: "shell_execute", comparisons: [{ parameter: "command", operator: "exists" }], verdict: "allow" }]);
  expect(decide(policy, shellCall("find . -delete"), 0).verdict).not.toBe("allow");
});

describe("a rule's context", () => {
  const at = (time: string) => Date.parse(time);
  const context = (part: Partial<RuleContext>) => ({ context: RuleContext.parse(part) });
  const userId = "01890000-0000-7000-8000-000000000002";
  const known: GuardContext = {
    interactive: true,
    agent: { id: "01890000-0000-7000-8000-000000000001", name: "buyer" },
    channel: null,
    actor: { type: "api_key", id: "01890000-0000-7000-8000-000000000002", name: "user" },
    origin: "chat",
  };

  test.each<[part: Partial<RuleContext>, result: string]>([
    [{ agents: ["buyer"] }, "matched"],
    [{ agents: ["01890000-0000-7000-8000-000000000001"] }, "matched"],
    [{ agents: ["seller"] }, "not_matched"],
    [{ channels: ["slack"] }, "not_matched"],
    [{ channels: ["none"] }, "not_matched"],
    [{ agents: ["seller", "buyer"] }, "matched"],
    [{ actors: ["user", "api_key"] }, "matched"],
    [{ actors: ["01890000-0000-7000-8000-000000000003"] }, "not_matched"],
    [{ interactive: true }, "matched"],
    [{ interactive: true, origins: ["cron"] }, "not_matched"],
    [{ actors: ["api_key"] }, "matched"],
    [{ actors: ["01890000-0000-7000-8000-000000000002"] }, "matched"],
    [{ actors: ["user"] }, "not_matched"],
    [{ origins: ["chat", "mcp"] }, "matched"],
    [{ origins: ["cron"] }, "not_matched"],
    [{ interactive: false }, "not_matched"],
    [{ interactive: true, origins: ["chat"] }, "matched"],
  ])("%j of a known call is %s", (part, result) => expect(tried(context(part), {}, known).result).toBe(result));

  test.each<Partial<RuleContext>>([{ agents: ["a"] }, { channels: ["a"] }, { actors: ["user"] }, { origins: ["cron"] }])(
    "%j cannot be evaluated for a call of which it is not known",
    (part) => {
      expect(tried(context(part), {})).toMatchObject({ result: "could_not_evaluate", verdict: "deny" });
      expect(tried({ ...context(part), verdict: "require_approval" }, {}).verdict).toBe("require_approval");
    },
  );

  test.each<[part: Partial<RuleContext>, from: Partial<GuardContext>, why: string]>([
    [{ interactive: false }, {}, "A person can be asked about this call, and the rule is for calls that nobody watches."],
    [
      { interactive: true },
      { interactive: false },
      "Nobody can be asked about this call, and the rule is for calls that somebody watches.",
    ],
    [{ channels: ["slack"] }, {}, "The rule is not for the channel `none`."],
    [{ channels: ["slack"] }, { channel: "mail" }, "The rule is not for the channel `mail`."],
    [{ origins: ["cron"] }, {}, "The rule is not for the origin `chat`."],
    [{ agents: ["seller"] }, {}, "The rule is not for the agent `buyer`."],
    [{ actors: ["agent"] }, {}, "The rule is not for `user`."],
    [{ actors: ["agent"] }, { actor: { type: "system" } }, "The rule is not for this actor."],
    [{ time: TimeWindow.parse({ from: "01:00", to: "02:00" }) }, {}, "It is not the time at which this rule holds."],
    [{ channels: ["slack"] }, { channel: undefined }, "The channel of this call is not known. "],
    [{ origins: ["cron"] }, { origin: undefined }, "The origin of this call is not known. "],
    [{ agents: ["seller"] }, { agent: undefined }, "The agent of this call is not known. "],
    [{ actors: ["agent"] }, { actor: undefined }, "Who submitted this call is not known. "],
    [{ actors: [userId] }, { actor: { type: "system" } }, "Who submitted this call is not known. "],
  ])("%j of a call from %j says why not", (part, from, why) => {
    const found = tried(context(part), {}, { ...known, ...from }).why;
    expect(found?.startsWith(why), found).toBe(true);
  });

  test("that does not fit makes a rule not match, whatever is not known of the rest of it", () => {
    const from = { agent: undefined, origin: "chat" } as const;
    expect(tried({ ...context({ agents: ["a"], origins: ["cron"] }), verdict: "deny" }, {}, from).result).toBe("not_matched");
    expect(tried({ ...context({ channels: ["a"], origins: ["chat"] }), verdict: "deny" }, {}, from).result).toBe("could_not_evaluate");
    const withPattern = { ...context({ agents: ["a"] }), verdict: "deny", parameter: "x", pattern: "^y" } as const;
    expect(tried(withPattern, { x: "z" }, from).result).toBe("not_matched");
    expect(tried(withPattern, { x: "y" }, from).result).toBe("could_not_evaluate");
  });

  test("that fits is not worth a word beside what the call says", () => {
    const comparisons: Comparison[] = [{ parameter: "amount", operator: ">", value: 100 }];
    expect(tried({ ...context({ interactive: true }), comparisons }, payment, known).why).toBe("`amount` is `250`: `amount > 100` holds.");
  });

  test("an id asks for an id", () => {
    const asksForId = context({ actors: [userId] });
    expect(tried(asksForId, {}, { actor: { type: "user" } }).result).toBe("could_not_evaluate");
    expect(tried(context({ actors: [userId, "agent"] }), {}, { actor: { type: "user" } }).result).toBe("could_not_evaluate");
    expect(tried(context({ actors: ["agent", "system", "api_key"] }), {}, { actor: { type: "user" } }).result).toBe("not_matched");
    expect(tried(context({ actors: ["user"] }), {}, { actor: { type: "agent" } }).result).toBe("not_matched");
  });

  test.each<[window: Partial<TimeWindow>, time: string, within: boolean]>([
    [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00", zone: "Europe/Berlin" }, "2026-03-02T08:00:00Z", true],
    [{ days: ["mon"], from: "09:00", to: "17:00", zone: "Europe/Berlin" }, "2026-03-02T07:59:00Z", false],
    [{ days: ["mon"], from: "09:00", to: "17:00", zone: "Europe/Berlin" }, "2026-03-02T16:00:00Z", false],
    [{ days: ["sun"], from: "09:00", to: "17:00", zone: "Europe/Berlin" }, "2026-03-02T08:00:00Z", false],
    // In summer time, the same local hour is another hour in UTC.
    [{ from: "09:00", to: "10:00", zone: "Europe/Berlin" }, "2026-07-01T07:30:00Z", true],
    [{ from: "09:00", to: "10:00", zone: "Europe/Berlin" }, "2026-07-01T08:30:00Z", false],
    // A window past midnight belongs to the day on which the window begins.
    [{ days: ["fri"], from: "22:00", to: "06:00" }, "2026-03-07T05:59:00Z", true],
    [{ days: ["fri"], from: "22:00", to: "06:00" }, "2026-03-07T22:00:00Z", false],
    [{ days: ["fri"], from: "22:00", to: "06:00" }, "2026-03-06T05:00:00Z", false],
    [{ from: "22:00", to: "06:00" }, "2026-03-06T12:00:00Z", false],
    [{ from: "22:00", to: "06:00" }, "2026-03-06T22:00:00Z", true],
    [{ from: "22:00", to: "06:00" }, "2026-03-06T06:00:00Z", false],
    [{ days: ["fri"], from: "22:00", to: "06:00" }, "2026-03-06T21:59:00Z", false],
    [{ days: ["fri"], from: "22:00", to: "06:00" }, "2026-03-06T22:00:00Z", true],
    [{ days: ["sun"], from: "22:00", to: "06:00" }, "2026-03-09T01:00:00Z", true],
    [{ from: "09:30", to: "17:45" }, "2026-03-02T09:29:59Z", false],
    [{ from: "09:30", to: "17:45" }, "2026-03-02T09:30:00Z", true],
    [{ from: "09:30", to: "17:45" }, "2026-03-02T17:44:59Z", true],
    [{ from: "09:30", to: "17:45" }, "2026-03-02T17:45:00Z", false],
    // A window with equal ends lasts 24 hours from that time.
    [{ days: ["fri"], from: "09:00", to: "09:00" }, "2026-03-06T09:00:00Z", true],
    [{ days: ["fri"], from: "09:00", to: "09:00" }, "2026-03-07T08:59:00Z", true],
    [{ days: ["fri"], from: "09:00", to: "09:00" }, "2026-03-07T09:00:00Z", false],
    [{ days: ["fri"], from: "09:00", to: "09:00" }, "2026-03-06T08:59:00Z", false],
    [{ days: ["sat"] }, "2026-03-07T00:00:00Z", true],
    [{ days: ["sat"] }, "2026-03-07T23:59:00Z", true],
    [{ days: ["sat"] }, "2026-03-08T00:00:00Z", false],
    [{ zone: "Pacific/Kiritimati", days: ["sun"] }, "2026-03-07T12:00:00Z", true],
  ])("%j at %s: %s", (window, time, within) => {
    const { result } = tried(context({ time: TimeWindow.parse(window) }), {}, {}, at(time));
    expect(result).toBe(within ? "matched" : "not_matched");
  });

  test("a window is looked at for each minute anew", () => {
    const policy = policyOfRules([{ ...context({ time: TimeWindow.parse({ from: "09:00", to: "10:00" }) }), verdict: "deny" }]);
    const verdictAt = (time: string) => decide(policy, buildRequest(mcpTool, {}), at(time)).verdict;
    const times = ["09:59:00", "09:59:59", "10:00:00", "10:00:01", "09:59:30"];
    expect(times.map((time) => verdictAt(`2026-03-02T${time}Z`))).toEqual(["deny", "deny", "require_approval", "require_approval", "deny"]);
  });

  test("a zone that does not exist is refused", () => {
    expect(TimeWindow.safeParse({ zone: "Europe/Nowhere" }).success).toBe(false);
    expect(TimeWindow.safeParse({ zone: "+25:00" }).success).toBe(false);
  });
});
