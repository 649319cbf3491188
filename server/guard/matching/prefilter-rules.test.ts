import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Verdict } from "@/contracts/decisions/decision";
import { buildRequest, mcpTool, policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import type { GuardRequest } from "../call/guard-request";
import { decide } from "../decide";
import { evaluateRule } from "./evaluate-rule";
import { prefilterRules } from "./prefilter-rules";

const plain = fc.constantFrom(
  "^ls",
  "rm",
  "^(ls|cat)\\b",
  "tmp/.+",
  "a|b",
  "x?",
  "\\brm\\b",
  "^git (push|pull)",
  "head",
  "(?i)RM",
  "(l|c)+s",
  "(?i:Git) p[ou]",
  "x{2}|rm{1}",
);
const commands = fc.constantFrom(
  "ls",
  "ls -la",
  "rm tmp/x",
  "ls; rm x",
  "sudo rm x",
  "r''m x",
  "$(rm x)",
  "git push | head",
  "cat a > b",
  "echo 'rm'",
  ": '",
);
const verdicts = fc.constantFrom<Verdict>("allow", "deny", "require_approval");

/** The same pattern, written so that no required text can be derived from it. */
const opaque = (pattern: string) => `(?P<all>${pattern})`;

test("what is ruled out beforehand would not have matched", () => {
  const asked = fc.oneof(
    commands.map((command) => ({ tool: "shell_execute", call: shellCall(command) })),
    commands.map((title) => ({ tool: mcpTool.name, call: buildRequest(mcpTool, { title, body: { text: "ls" } }) })),
  );
  const rule = { pattern: plain, verdict: verdicts, parameter: fc.constantFrom(null, "command", "title", "/body/*", "missing") };
  fc.assert(
    fc.property(asked, fc.array(fc.record(rule), { maxLength: 40, size: "max" }), ({ tool, call }, rules) => {
      const outcome = (write: (pattern: string) => string) => {
        const policy = policyOfRules(rules.map(({ pattern, ...rest }) => ({ tool, ...rest, pattern: write(pattern) })));
        const { verdict, trace } = decide(policy, call, 0);
        return { verdict, results: trace.map(({ result }) => result) };
      };
      expect(outcome((pattern) => pattern)).toEqual(outcome(opaque));
    }),
    { numRuns: 250 },
  );
});

test.each(["never", "(?P<all>never)"])(
  "where none of many rules for a tool matches, the trace tells of the first 99 of them: %s",
  (pattern) => {
    const rules = Array.from({ length: 120 }, (_, index) => ({
      id: `r${100 + index}`,
      tool: mcpTool.name,
      pattern,
      verdict: "deny" as const,
    }));
    const { verdict, trace } = decide(policyOfRules(rules, { defaultPolicy: "allow" }), buildRequest(mcpTool, { title: "b" }), 0);
    expect(verdict).toBe("allow");
    expect(trace).toHaveLength(99);
    expect(trace[98]).toMatchObject({ ruleId: "r198", result: "not_matched", why: expect.stringContaining("The pattern is not found in") });
  },
);

test.each(["", "  ", "# only a comment"])("a command that runs nothing is matched by none of many rules that allow: %j", (command) => {
  const rules = Array.from({ length: 20 }, () => ({ tool: "shell_execute", pattern: "^ls", verdict: "allow" as const }));
  expect(decide(policyOfRules(rules, { defaultPolicy: "deny" }), shellCall(command), 0).verdict).toBe("deny");
});

test("of many rules that allow, none covers a command that stands among other things", () => {
  const tool = { ...mcpTool, name: "box__bash" };
  const rules = Array.from({ length: 20 }, () => ({ tool: tool.name, pattern: "ls", verdict: "allow" as const }));
  const { verdict, trace } = decide(policyOfRules(rules, { defaultPolicy: "deny" }), buildRequest(tool, { command: "ls" }), 0);
  expect(verdict).toBe("deny");
  expect(trace[0]).toMatchObject({ result: "not_matched", why: expect.stringContaining("a command among other things") });
});

test("of thousands of rules for a tool, the first that matches decides, and the trace tells of the others before it", () => {
  const rules = Array.from({ length: 3_000 }, (_, index) => ({
    tool: mcpTool.name,
    parameter: "path",
    pattern: `^(drafts|notes)/area-${index}/`,
    verdict: index % 2 === 0 ? ("deny" as const) : ("allow" as const),
    priority: 3_000 - index,
    expiresAt: index === 1 ? "2020-01-01T00:00:00.000Z" : null,
  }));
  const policy = policyOfRules([...rules, { tool: "*", pattern: null, verdict: "require_approval", priority: 0 }]);
  const decideOn = (path: string) => decide(policy, buildRequest(mcpTool, { path }));
  expect(decideOn("notes/area-50/a")).toMatchObject({ verdict: "deny", ruleId: "rule-51" });
  expect(decideOn("notes/area-2999/a")).toMatchObject({ verdict: "allow", ruleId: "rule-3000" });
  expect(decideOn("notes/area-3000/a")).toMatchObject({ verdict: "require_approval", ruleId: "rule-3001" });
  const { trace } = decideOn("notes/area-50/a");
  expect(trace.map(({ ruleId }) => ruleId)).toEqual(
    Array.from({ length: 51 }, (_, index) => `rule-${index + 1}`).filter((id) => id !== "rule-2"),
  );
  expect(trace.slice(0, -1).every(({ result, why }) => result === "not_matched" && why.includes("notes/area-50/a"))).toBe(true);
  expect(decideOn("notes/area-2999/a").trace).toHaveLength(100);
  expect(decideOn("notes/area-2999/a").trace.at(-1)?.ruleId).toBe("rule-3000");
});

describe("what is ruled out beforehand", () => {
  const sandbox = { ...mcpTool, name: "sandbox__bash" };
  const patterns = ["^ls", "rm", "cat x", "^(ls|cat)\\b", "tmp/.+", "x?", "^git (push|pull)", "head", "never", '\\["ls', "(", ""];
  const parameters = [null, "command", "/command", "/command/0", "/command/*", "title", "missing"];
  const rules = patterns.flatMap((pattern) =>
    parameters.flatMap((parameter) =>
      (["allow", "deny"] as const).map((verdict) => ({ name: pattern, tool: "*", pattern, parameter, verdict })),
    ),
  );
  /** Compiled anew for each test, because the prefilter of a list is cached. */
  const compile = () => policyOfRules(rules).rules;
  const texts = ["ls", "ls -la", "rm tmp/x", "ls; rm x", "r''m x", "$(rm x)", "git push | head", "cat a > b", ": '", "", "# nothing", "$x"];

  test.each([
    ...texts.map((command) => shellCall(command)),
    ...texts.map((command) => buildRequest(sandbox, { command })),
    buildRequest(sandbox, { command: ["ls", "-la"] }),
    buildRequest(sandbox, { command: ["ls", "cat x; rm y"] }),
    buildRequest(sandbox, { command: "ls", args: ["-la", "head"] }),
    buildRequest(sandbox, { command: "ls", title: "rm" }),
    buildRequest(mcpTool, { title: "git pull", body: { text: "ls" } }),
    buildRequest(mcpTool, { command: ["ls", "head"] }),
    buildRequest(mcpTool, { title: 7 }),
  ])("of %j is what trying it would say", (asked) => {
    const call = analyzeCall(asked);
    const compiled = compile();
    const prefiltered = prefilterRules(compiled, call);
    if (!prefiltered) throw new Error("the list is long enough");
    expect(prefiltered.toTry).toEqual(prefiltered.toTry.toSorted((a, b) => a - b));
    const toTry = new Set(prefiltered.toTry);
    for (const [place, rule] of compiled.entries()) {
      if (toTry.has(place)) continue;
      const { why, ...tried } = evaluateRule(rule, call, 0);
      const ruledOut = prefiltered.ruledOut(place);
      expect({ ...ruledOut, why: ruledOut?.why() }, JSON.stringify(rule)).toEqual({ ...tried, why: why() });
    }
  });

  /** Returns the patterns of the rules that have to be evaluated. */
  const tried = (call: GuardRequest, parameter: string | null, verdict: Verdict) => {
    const compiled = compile();
    return prefilterRules(compiled, analyzeCall(call))
      ?.toTry.flatMap((place) => compiled[place] ?? [])
      .filter((rule) => rule.parameter === parameter && rule.verdict === verdict)
      .map(({ name }) => name);
  };

  test("is every pattern without whose texts nothing matches, where they are not there", () => {
    const mayMatch = ["^ls", "x?", "^(ls|cat)\\b", "(", ""].toSorted();
    for (const verdict of ["allow", "deny"] as const) {
      for (const call of [shellCall("ls -la"), buildRequest(sandbox, { command: "ls -la" })]) {
        expect(tried(call, "command", verdict)?.toSorted()).toEqual(mayMatch);
      }
      expect(tried(buildRequest(mcpTool, { title: "ls" }), "title", verdict)?.toSorted()).toEqual(mayMatch);
    }
  });

  test("is none where the argument is missing, or a rule that allows cannot cover it", () => {
    expect(tried(shellCall("ls"), "missing", "deny")).toHaveLength(patterns.length);
    const words = buildRequest(sandbox, { command: ["ls", "-la"] });
    expect(tried(words, "/command/0", "allow")).toHaveLength(patterns.length);
    expect(tried(words, "/command/*", "deny")).toHaveLength(patterns.length);
  });
});
