import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/guard";
import { type Comparison, RuleContext, TimeWindow } from "@/contracts/rule-conditions";
import { callOf, mcpTool, policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import type { CallContext } from "../asked-call";
import type { RuleContent } from "../compile-policy";
import { decide } from "../decide";

/** How a rule was tried on a call, and what the call got: without a match it is denied. */
function tried(rule: Partial<RuleContent>, args: JsonObject, context: Partial<CallContext> = {}, at = 0) {
  const policy = policyOfRules([{ tool: mcpTool.name, verdict: "allow", ...rule }], { defaultPolicy: "deny" });
  const call = callOf(mcpTool, args);
  const { trace, verdict } = decide(policy, { ...call, context: { ...call.context, ...context } }, at);
  return { result: trace[0]?.result, why: trace[0]?.why, verdict };
}

const payment = { amount: 250, currency: "EUR", dryRun: false, note: null, to: ["a", "b"] };

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
  ])("%j is %s", (comparison, result) => {
    expect(tried({ comparisons: [comparison] }, payment).result).toBe(result);
  });

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
    expect(tried(rule, { items: [] }).result).toBe("not_matched");
    expect(tried({ ...rule, verdict: "deny" }, { items: [] }).result).toBe("not_matched");
    expect(tried({ ...rule, verdict: "deny" }, { items: [{ path: "a" }, {}] })).toMatchObject({
      result: "could_not_evaluate",
      verdict: "deny",
    });
    expect(tried({ ...rule, verdict: "require_approval" }, { items: "x" }).result).toBe("could_not_evaluate");
    expect(tried({ parameter: "/a~1b/m~0n", pattern: "^x$" }, { "a/b": { "m~n": "x" } }).result).toBe("matched");
  });
});

describe("an exception", () => {
  test("takes away what a pattern found", () => {
    const rule = { parameter: "path", pattern: "^tmp/", excludePattern: "\\.\\." };
    expect(tried(rule, { path: "tmp/a" }).result).toBe("matched");
    expect(tried(rule, { path: "tmp/../etc" }).result).toBe("not_matched");
    expect(tried({ ...rule, pattern: null }, { path: "a" }).result).toBe("matched");
    expect(tried({ ...rule, verdict: "deny" }, { path: "tmp/.." }).result).toBe("not_matched");
  });

  test("that is not valid leaves the rule undecided", () => {
    const broken = { parameter: "path", pattern: "^tmp/", excludePattern: "(" };
    expect(tried(broken, { path: "tmp/a" }).result).toBe("could_not_evaluate");
    expect(tried(broken, { path: "etc" }).result).toBe("not_matched");
  });

  const onShell = (rule: Partial<RuleContent>, command: string) => {
    const policy = policyOfRules([{ tool: "shell_execute", ...rule }], { defaultPolicy: "allow" });
    const { trace } = decide(policy, shellCall(command), 0);
    return trace[0]?.result;
  };

  test("from a rule that denies takes a command only when it covers all of it", () => {
    const rule = { verdict: "deny", pattern: "\\brm\\b", excludePattern: "^rm (-r )?tmp/" } as const;
    expect(onShell(rule, "rm x")).toBe("matched");
    expect(onShell(rule, "rm tmp/a")).toBe("not_matched");
    expect(onShell(rule, "rm tmp/a; rm b")).toBe("matched");
    expect(onShell(rule, "rm tmp/a; $(rm b)")).toBe("matched");
    expect(onShell(rule, "echo 'rm tmp/a'; rm b")).toBe("matched");
  });

  test("takes from a rule that allows whatever it is found in, quoted or not", () => {
    const rule = { verdict: "allow", pattern: "^git\\b", excludePattern: "--force" } as const;
    expect(onShell(rule, "git push")).toBe("matched");
    expect(onShell(rule, "git push --force")).toBe("not_matched");
    expect(onShell(rule, "git push --fo'rce'")).toBe("not_matched");
  });
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
  const known: CallContext = {
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
    [{ actors: ["api_key"] }, "matched"],
    [{ actors: ["01890000-0000-7000-8000-000000000002"] }, "matched"],
    [{ actors: ["user"] }, "not_matched"],
    [{ origins: ["chat", "mcp"] }, "matched"],
    [{ origins: ["cron"] }, "not_matched"],
    [{ interactive: false }, "not_matched"],
    [{ interactive: true, origins: ["chat"] }, "matched"],
  ])("%j of a known call is %s", (part, result) => {
    expect(tried(context(part), {}, known).result).toBe(result);
  });

  test.each<Partial<RuleContext>>([{ agents: ["a"] }, { channels: ["a"] }, { actors: ["user"] }, { origins: ["cron"] }])(
    "%j cannot be evaluated for a call of which it is not known",
    (part) => {
      expect(tried(context(part), {})).toMatchObject({ result: "could_not_evaluate", verdict: "deny" });
      expect(tried({ ...context(part), verdict: "require_approval" }, {}).verdict).toBe("require_approval");
    },
  );

  test("an id asks for an id", () => {
    const asksForId = context({ actors: ["01890000-0000-7000-8000-000000000002"] });
    expect(tried(asksForId, {}, { actor: { type: "user" } }).result).toBe("could_not_evaluate");
  });

  test.each<[window: Partial<TimeWindow>, time: string, within: boolean]>([
    [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00", zone: "Europe/Berlin" }, "2026-03-02T08:00:00Z", true],
    [{ days: ["mon"], from: "09:00", to: "17:00", zone: "Europe/Berlin" }, "2026-03-02T07:59:00Z", false],
    [{ days: ["mon"], from: "09:00", to: "17:00", zone: "Europe/Berlin" }, "2026-03-02T16:00:00Z", false],
    [{ days: ["sun"], from: "09:00", to: "17:00", zone: "Europe/Berlin" }, "2026-03-02T08:00:00Z", false],
    // Summer time: the same hour on the wall is another one in UTC.
    [{ from: "09:00", to: "10:00", zone: "Europe/Berlin" }, "2026-07-01T07:30:00Z", true],
    [{ from: "09:00", to: "10:00", zone: "Europe/Berlin" }, "2026-07-01T08:30:00Z", false],
    // Past midnight, the window belongs to the day on which it begins.
    [{ days: ["fri"], from: "22:00", to: "06:00" }, "2026-03-07T05:59:00Z", true],
    [{ days: ["fri"], from: "22:00", to: "06:00" }, "2026-03-07T22:00:00Z", false],
    [{ days: ["fri"], from: "22:00", to: "06:00" }, "2026-03-06T05:00:00Z", false],
    [{ days: ["sat"] }, "2026-03-07T00:00:00Z", true],
    [{ days: ["sat"] }, "2026-03-07T23:59:00Z", true],
    [{ days: ["sat"] }, "2026-03-08T00:00:00Z", false],
    [{ zone: "Pacific/Kiritimati", days: ["sun"] }, "2026-03-07T12:00:00Z", true],
  ])("%j at %s: %s", (window, time, within) => {
    const { result } = tried(context({ time: TimeWindow.parse(window) }), {}, {}, at(time));
    expect(result).toBe(within ? "matched" : "not_matched");
  });

  test("a zone that does not exist is refused", () => {
    expect(TimeWindow.safeParse({ zone: "Europe/Nowhere" }).success).toBe(false);
    expect(TimeWindow.safeParse({ zone: "+25:00" }).success).toBe(false);
  });
});
