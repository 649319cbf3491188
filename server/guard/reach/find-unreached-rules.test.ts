import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { RuleContext } from "@/contracts/guard/rule-conditions";
import { buildRequest, buildRule, mcpTool, policyOfRules, readTool, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import { compilePolicy } from "../compile-policy";
import type { RuleContent } from "../matching/compile-rule";
import { firstMatch } from "../matching/first-match";
import { findUnreachedRules } from "./find-unreached-rules";

const tools = [shellTool, readTool, writeTool, mcpTool];
const now = Date.parse("2026-06-01T12:00:00Z");
const inOrder = (rules: readonly Partial<RuleContent>[]) =>
  rules.map((rule, place) => buildRule({ id: `r${place + 1}`, name: `Rule ${place + 1}`, priority: 1_000 - place, ...rule }));
const unreached = (rules: readonly Partial<RuleContent>[], deniedTools: readonly string[] = []) =>
  Object.fromEntries(
    [...findUnreachedRules(inOrder(rules), { deniedTools, tools, now })].map(([id, { ruleId, name }]) => [id, ruleId ?? name]),
  );
const context = (part: object) => RuleContext.parse(part);

/** The answer for a list whose second rule is never reached because of its first. */
const behindFirst = { r2: "r1" };

describe("a rule is never reached", () => {
  test("behind a rule for every call of its tool, whatever the verdicts are", () => {
    const asks = { tool: "write_file", verdict: "require_approval" } as const;
    expect(unreached([asks, { ...asks, pattern: "^finance/", verdict: "deny" }])).toEqual(behindFirst);
    const denies = { tool: "shell_execute", verdict: "deny" } as const;
    expect(unreached([denies, { ...denies, pattern: "^ls", verdict: "allow" }])).toEqual(behindFirst);
  });

  test.each([
    ["*", "shell_execute"],
    ["*", "notes__*"],
    ["*", "effect:read"],
    ["notes__*", "notes__save_note"],
    ["notes__*", "notes__save_*"],
    ["shell_*", "shell_not_there"],
    ["source:mcp", "notes__save_note"],
    ["effect:write", "write_file"],
    ["needs:shell", "shell_execute"],
    ["effect:write", "effect:write"],
  ])("behind %s when it is for %s", (wide, tool) => expect(unreached([{ tool: wide }, { tool }])).toEqual(behindFirst));

  test("behind a rule with the same conditions, or with fewer", () => {
    const asks = { tool: "write_file", pattern: "^a/", comparisons: [{ parameter: "n", operator: ">" as const, value: 1 }] };
    expect(unreached([{ ...asks, verdict: "deny" }, asks])).toEqual(behindFirst);
    expect(
      unreached([
        { ...asks, verdict: "deny", comparisons: [] },
        { ...asks, verdict: "require_approval" },
      ]),
    ).toEqual(behindFirst);
    expect(unreached([asks, asks])).toEqual(behindFirst);
  });

  test.each([
    ["^finance/", "^finance/q3/"],
    ["^finance/", "^finance/.*\\.csv$"],
    ["^git(?: |$)", "^git log(?: |$)"],
    ["^git\\b", "^git log"],
    ["^git\\b", "^git(?: |$)"],
    ["^git(?: |$)", "^git$"],
    ["^git", "^git log\\b"],
  ])("behind a rule that denies what starts with %s when it is for %s", (wide, narrow) => {
    const rule = { tool: "write_file", pattern: wide, verdict: "deny" } as const;
    expect(unreached([rule, { ...rule, pattern: narrow, verdict: "allow" }])).toEqual(behindFirst);
  });

  test("behind a rule that holds wherever and whenever it does", () => {
    expect(unreached([{ context: context({ agents: ["a", "b"] }) }, { context: context({ agents: ["a"], interactive: true }) }])).toEqual({
      r2: "r1",
    });
    expect(unreached([{ expiresAt: "2026-07-02T00:00:00Z" }, { expiresAt: "2026-07-01T00:00:00Z" }])).toEqual(behindFirst);
  });

  test("behind the list of denied tools", () => {
    expect(unreached([{ tool: "notes__*" }, { tool: "read_file" }], ["source:http", "notes__*"])).toEqual({ r1: "notes__*" });
  });

  test("and the first of several earlier rules is named, by priority and then by id", () => {
    const rules = [
      buildRule({ id: "b", priority: 5 }),
      buildRule({ id: "c", priority: 5 }),
      buildRule({ id: "a", priority: 5 }),
      buildRule({ id: "d", priority: 9, tool: "x" }),
    ];
    expect([...findUnreachedRules(rules, { deniedTools: [], tools, now })].map(([id, { ruleId }]) => [id, ruleId])).toEqual([
      ["b", "a"],
      ["c", "a"],
    ]);
  });

  test("also when it is switched off itself", () => {
    expect(unreached([{ tool: "*" }, { tool: "read_file", enabled: false }])).toEqual(behindFirst);
  });
});

const ruleFor =
  (tool: string) =>
  (pattern: string, more: Partial<RuleContent> = {}) => ({ tool, pattern, ...more });
const running = ruleFor("shell_execute");
const writing = (pattern: string, more: Partial<RuleContent> = {}) => ruleFor("write_file")(pattern, { verdict: "deny", ...more });

test.each<[string, Partial<RuleContent>, Partial<RuleContent>]>([
  ["behind one that is switched off", { enabled: false }, {}],
  ["behind one that has expired", { expiresAt: "2026-05-01T00:00:00Z" }, {}],
  ["behind one that ends before it", { expiresAt: "2026-07-01T00:00:00Z" }, {}],
  ["behind one for another tool", { tool: "read_file" }, { tool: "write_file" }],
  ["behind a kind, while its tool is not known", { tool: "effect:write" }, { tool: "later_tool" }],
  ["behind a kind, when it is a glob that later tools may fit", { tool: "source:mcp" }, { tool: "notes__*" }],
  ["behind a glob with a mark for one character", { tool: "a_?" }, { tool: "a_*" }],
  ["behind one that knows an exception", { tool: "write_file", excludePattern: "x", verdict: "deny" }, { tool: "write_file" }],
  ["behind one that compares", { comparisons: [{ parameter: "n", operator: "exists" }] }, {}],
  ["behind one for some agents", { context: context({ agents: ["a"] }) }, {}],
  ["behind one for another argument", writing("^a", { parameter: "content" }), { tool: "write_file", pattern: "^a" }],
  ["behind one that allows a whole command, when it denies a part of it", running("^rm"), running("^rm", { verdict: "deny" })],
  ["behind the start of a word that a rule which allows does not finish", running("^l"), running("^ls")],
  ["behind a word that goes on", writing("^git(?: |$)"), writing("^gitlab")],
  ["behind a narrower end of the word", writing("^git(?: |$)"), writing("^git\\b")],
  ["behind a start that it may leave out", writing("^ab"), writing("^ab?")],
  ["behind a start that one of its alternatives has", writing("^ab"), writing("^abc|x")],
])("a rule is not called unreachable %s", (_name, before, rule) => expect(unreached([before, rule])).toEqual({}));

const patterns = [
  null,
  "^git",
  "^git(?: |$)",
  "^git\\b",
  "^git log",
  "^git log(?: |$)",
  "^git$",
  "log",
  "^a/",
  "^a/b",
  "^a?b",
  "^ab|c",
  "(?i)^GIT",
];
const ruleArbitrary = fc.record({
  tool: fc.constantFrom(
    "*",
    "shell_execute",
    "read_file",
    "write_file",
    "notes__save_note",
    "notes__*",
    "*_file",
    "effect:write",
    "needs:shell",
    "source:mcp",
  ),
  verdict: fc.constantFrom("allow" as const, "deny" as const, "require_approval" as const),
  pattern: fc.constantFrom(...patterns),
  excludePattern: fc.constantFrom(null, null, null, "x", "log"),
  parameter: fc.constantFrom(null, null, "command", "path"),
  comparisons: fc.constantFrom<RuleContent["comparisons"]>([], [], [{ parameter: "n", operator: ">", value: 1 }]),
  context: fc.constantFrom(
    null,
    null,
    context({ agents: ["coder"] }),
    context({ interactive: true }),
    context({ origins: ["chat"], agents: ["coder", "buyer"] }),
  ),
  enabled: fc.constantFrom(true, true, false),
  priority: fc.integer({ min: 0, max: 3 }),
});
const texts = [
  "git",
  "git log",
  "git-lfs",
  "gitlog",
  "git log; rm x",
  "echo git",
  "a/b",
  "a/c",
  "b",
  "c",
  "ab",
  "GIT log",
  "sudo git log",
  "$(git log)",
  "git 'log",
];
const callArbitrary = fc.record({
  tool: fc.constantFrom(...tools),
  text: fc.constantFrom(...texts),
  n: fc.constantFrom<JsonObject>({}, { n: 1 }, { n: 2 }),
  agent: fc.constantFrom("coder", "buyer"),
  interactive: fc.boolean(),
});

/** Rules that resemble the first one, as those of one list do: each takes some members from a rule of its own. */
const listArbitrary = fc
  .array(
    fc.tuple(
      ruleArbitrary,
      fc.subarray(["tool", "verdict", "pattern", "excludePattern", "parameter", "comparisons", "context", "priority"] as const, {
        maxLength: 3,
      }),
    ),
    { minLength: 2, maxLength: 4 },
  )
  .map((drawn) => {
    const [[first] = []] = drawn;
    return drawn.map(([own, members], place) =>
      buildRule({
        ...(place === 0 ? own : first),
        ...Object.fromEntries(members.map((member) => [member, own[member]])),
        enabled: own.enabled,
        id: `r${place}`,
      }),
    );
  });

test("no call is ever decided by a rule that is called unreachable", () => {
  let called = 0;
  fc.assert(
    fc.property(listArbitrary, fc.array(callArbitrary, { minLength: 6, maxLength: 6 }), (rules, calls) => {
      const never = findUnreachedRules(rules, { deniedTools: [], tools, now });
      called += never.size;
      const { config } = policyOfRules([]);
      const policy = compilePolicy({ version: 1, config, rules });
      for (const { tool, text, n, agent, interactive } of calls) {
        const request = buildRequest(tool, { [tool.primaryArgument ?? "text"]: text, ...n });
        const known = { interactive, agent: { id: agent, name: agent }, origin: "chat", channel: null, actor: { type: "user" } } as const;
        const { rule } = firstMatch(policy.rulesFor(tool), analyzeCall({ ...request, context: known }, policy.sensitivePaths), now);
        if (rule) expect(never.has(rule.id)).toBe(false);
      }
    }),
    { numRuns: 800 },
  );
  expect(called).toBeGreaterThan(200);
});

test("a rule about a command holds for other tools, so no rule about its own tool alone keeps calls from it", () => {
  const denies = { tool: "shell_execute", pattern: "^git commit", verdict: "deny" as const };
  expect(unreached([{ tool: "shell_execute", verdict: "allow" }, denies])).toEqual({});
  expect(unreached([denies], ["shell_execute"])).toEqual({});
  expect(unreached([{ tool: "*", verdict: "allow" }, denies])).toEqual(behindFirst);
  expect(unreached([denies, { ...denies, pattern: "^git commit -m" }])).toEqual(behindFirst);
});

test("a rule about what calls do decides only calls that do it", () => {
  expect(unreached([{ tool: "does:reads_path", verdict: "deny" }, { tool: "read_file" }])).toEqual({});
  const denies = { tool: "does:reads_path", verdict: "deny" } as const;
  expect(unreached([denies, { tool: "does:reads_path", pattern: "^a/" }])).toEqual(behindFirst);
  expect(unreached([{ tool: "*", verdict: "deny" }, { tool: "does:reads_path" }])).toEqual(behindFirst);
});

test("an allowed word up to its boundary does not decide calls of a longer word", () => {
  expect(unreached([running("^git log\\b"), running("^git log-tree(?: |$)")])).toEqual({});
});

test("ten thousand rules are looked through at once", () => {
  const rules = Array.from({ length: 10_000 }, (_, place) => ({
    tool: place % 10 === 0 ? `srv${place}__*` : "shell_execute",
    pattern: `^program${place}(?: |$)`,
  }));
  expect(Object.keys(unreached([...rules, { tool: "shell_execute", pattern: "^program1 run" }]))).toEqual(["r10001"]);
}, 60_000);
