import { describe, expect, test } from "vitest";
import type { Finding } from "@/contracts/decisions/decision";
import { buildRequest, policyOfRules, shellCall, writeTool } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import { decide } from "../decide";
import { computeDigest } from "../matching/compile-rule";
import { tryGrant, worstSeverity } from "./apply-grant";
import { compileGrant, compileGrants } from "./compile-grants";
import type { GrantContent } from "./compiled-grants";

const now = Date.parse("2026-11-22T12:00:00Z");
const grantOf = (content: Partial<GrantContent> = {}): GrantContent => ({
  id: "g1",
  scope: "workspace",
  scopeId: null,
  tool: "write_file",
  match: { kind: "exact", arguments: { path: "a", content: "b" } },
  maxSeverity: "low",
  expiresAt: null,
  grantedBy: { name: "Ann" },
  ...content,
});
const write = (args = { path: "a", content: "b" }) => ({
  ...buildRequest(writeTool, args),
  context: { interactive: true, conversationId: "c1", agent: { id: "a1", name: "main" }, actor: { type: "api_key", id: "u1" } as const },
});
const decided = (grants: GrantContent[], call = write(), rules: Parameters<typeof policyOfRules>[0] = [], config = {}) =>
  decide({ ...policyOfRules(rules, config), grants: compileGrants(grants) }, call, now);

test("a granted call runs where a person would have been asked, and the decision says because of whom", () => {
  expect(decided([]).verdict).toBe("require_approval");
  const decision = decided([grantOf()]);
  expect(decision).toMatchObject({ verdict: "allow", grantId: "g1", ruleId: null });
  expect(decision.reason).toContain("Approved in advance by Ann");
  expect(decision.trace.at(-1)).toEqual({
    ruleId: "g1",
    ruleName: "Grant of Ann for the workspace",
    result: "matched",
    why: "The arguments are exactly those that were approved in advance.",
  });
});

test("a grant never answers for the people that a rule names", () => {
  const rule = {
    tool: "write_file",
    verdict: "require_approval" as const,
    approvers: { roles: ["owner" as const], users: [], quorum: 2, escalation: null },
  };
  expect(decided([grantOf()], write(), [rule])).toMatchObject({ verdict: "require_approval", approvers: { quorum: 2 } });
});

test("exact means every argument, in whatever order they are sent", () => {
  expect(decided([grantOf()], write({ content: "b", path: "a" })).verdict).toBe("allow");
  const other = decided([grantOf()], write({ path: "a", content: "c" }));
  expect(other.verdict).toBe("require_approval");
  expect(other.trace.at(-1)).toMatchObject({ ruleId: "g1", result: "not_matched" });
});

test("a grant of which only the digest of its arguments is kept covers the same calls", () => {
  const kept = grantOf({
    match: { kind: "exact", arguments: { path: "a", content: "***" }, digest: computeDigest({ path: "a", content: "b" }) },
  });
  expect(decided([kept]).verdict).toBe("allow");
  expect(decided([kept], write({ path: "a", content: "c" })).verdict).toBe("require_approval");
});

test("a grant never weakens a denial, the list of denied tools, or the hard floor", () => {
  expect(decided([grantOf()], write(), [{ verdict: "deny" }]).verdict).toBe("deny");
  expect(decided([grantOf()], write(), [], { deniedTools: ["write_file"] }).verdict).toBe("deny");
  const everything = grantOf({ tool: "shell_execute", match: { kind: "pattern", parameter: null, pattern: ".*" }, maxSeverity: "high" });
  expect(decided([everything], shellCall("rm -rf /") as ReturnType<typeof write>).verdict).toBe("deny");
});

test("the narrowest grant counts: conversation, agent, user, workspace", () => {
  const all = [
    grantOf({ id: "w" }),
    grantOf({ id: "u", scope: "user", scopeId: "u1" }),
    grantOf({ id: "a", scope: "agent", scopeId: "a1" }),
    grantOf({ id: "c", scope: "conversation", scopeId: "c1" }),
  ];
  const winners: (string | undefined)[] = [];
  for (let left = all; left.length > 0; left = left.filter(({ id }) => id !== winners.at(-1))) winners.push(decided(left).grantId);
  expect(winners).toEqual(["c", "a", "u", "w"]);
});

test("of two grants for the same, the newer one counts", () => {
  const [older, newer] = [grantOf({ id: "g1" }), grantOf({ id: "g2" })];
  expect(decided([older, newer]).grantId).toBe("g2");
  expect(decided([newer, older]).grantId).toBe("g2");
});

test.each([
  ["conversation", "c1", "this conversation"],
  ["agent", "a1", "this agent"],
  ["user", "u1", "this requester"],
  ["workspace", null, "the workspace"],
] as const)("the trace says that a grant of the scope %s is one, and for whom", (scope, scopeId, whom) => {
  expect(decided([grantOf({ scope, scopeId })]).trace.at(-1)?.ruleName).toBe(`Grant of Ann for ${whom}`);
});

test("the trace tells of twenty grants that do not cover the call, and of the one that does", () => {
  const others = Array.from({ length: 25 }, (_, at) => grantOf({ id: `o${10 + at}`, match: { kind: "exact", arguments: { path: "z" } } }));
  const uncovered = decided(others);
  expect(uncovered.trace).toHaveLength(20);
  expect(uncovered.trace[0]).toMatchObject({ ruleId: "o34", why: "The arguments are not those that were approved in advance." });
  const covered = decided([...others, grantOf({ id: "a" })]);
  expect(covered).toMatchObject({ verdict: "allow", grantId: "a" });
  expect(covered.trace.map(({ ruleId }) => ruleId)).toEqual([...uncovered.trace.map(({ ruleId }) => ruleId), "a"]);
});

test("a grant for somebody else, for another tool, or whose time is up does not count", () => {
  const useless = [
    grantOf({ scope: "conversation", scopeId: "c2" }),
    grantOf({ scope: "agent", scopeId: "a2" }),
    grantOf({ scope: "user", scopeId: "u2" }),
    grantOf({ tool: "edit_file" }),
    grantOf({ expiresAt: now }),
  ];
  for (const grant of useless) expect(decided([grant]).verdict).toBe("require_approval");
  expect(decided([grantOf({ expiresAt: now + 1 })]).verdict).toBe("allow");
});

test("a call of which nothing but the tool is known has grants of the workspace only", () => {
  const call = buildRequest(writeTool, { path: "a", content: "b" }) as ReturnType<typeof write>;
  expect(decided([grantOf({ scope: "conversation", scopeId: "c1" })], call).verdict).toBe("require_approval");
  // A grant that was stored without its scope's id covers no call either.
  for (const scope of ["conversation", "agent", "user"] as const) {
    expect(decided([grantOf({ scope, scopeId: null })], call).verdict).toBe("require_approval");
  }
  expect(decided([grantOf()], call).verdict).toBe("allow");
});

describe("a pattern", () => {
  const match = { kind: "pattern", parameter: null, pattern: "^git (status|log)\\b" } as const;
  const git = grantOf({ tool: "shell_execute", match, maxSeverity: "high" });
  test.each([
    ["git status", "allow"],
    ["git status && git log", "allow"],
    ["git status; rm -r x", "require_approval"],
    ["git status; mkdir x", "require_approval"],
    ["mkdir x; git log", "require_approval"],
    ["git status $(rm x)", "require_approval"],
    ["git push", "require_approval"],
  ])("covers a script only as a whole: %s", (command, verdict) => {
    expect(decided([git], shellCall(command) as ReturnType<typeof write>).verdict).toBe(verdict);
  });
  test("that cannot be used covers nothing, and the trace says so", () => {
    const broken = grantOf({ match: { kind: "pattern", parameter: null, pattern: "(" } });
    const decision = decided([broken]);
    expect(decision.verdict).toBe("require_approval");
    expect(decision.trace.at(-1)).toMatchObject({ result: "could_not_evaluate" });
  });
  test("may look at one argument", () => {
    const notes = grantOf({ match: { kind: "pattern", parameter: "path", pattern: "^notes/" } });
    expect(decided([notes], write({ path: "notes/a", content: "x" })).verdict).toBe("allow");
    expect(decided([notes], write({ path: "src/notes/a", content: "x" })).verdict).toBe("require_approval");
  });
});

const findingOf = (severity: Finding["severity"]): Finding => ({
  detector: "sql_danger",
  severity,
  verdict: "require_approval",
  message: "m",
  explanation: "e",
  fix: "f",
  excerpt: "",
});

test.each([
  ["low", "low", "matched"],
  ["low", "medium", "not_matched"],
  ["high", "high", "matched"],
  ["high", "critical", "not_matched"],
  ["info", "low", "not_matched"],
] as const)("a grant up to %s covers a call with a finding that is %s: %s", (maxSeverity, severity, result) => {
  const tried = tryGrant(compileGrant(grantOf({ maxSeverity })), analyzeCall(write()), [findingOf("info"), findingOf(severity)], now);
  expect(tried.result).toBe(result);
  if (result === "not_matched") {
    expect(tried.why).toBe(`The grant holds up to the severity ${maxSeverity}, and sql_danger found something ${severity}.`);
  }
});

test("a grant whose ceiling is not known covers nothing that was found", () => {
  const stored: string = "highest";
  const grant = compileGrant(grantOf({ maxSeverity: stored as GrantContent["maxSeverity"] }));
  expect(tryGrant(grant, analyzeCall(write()), [findingOf("info")], now).result).toBe("not_matched");
});

test("what was found counts by the worst of it", () => {
  expect(worstSeverity([findingOf("low"), findingOf("critical"), findingOf("medium")])).toBe("critical");
  expect(worstSeverity([findingOf("high"), findingOf("info")])).toBe("high");
  expect(worstSeverity([])).toBeNull();
});

test("a grant for one definition of an MCP tool does not hold for another", () => {
  const grant = compileGrant(grantOf({ pinHash: "old" }));
  expect(tryGrant(grant, analyzeCall(write()), [], now)).toMatchObject({
    result: "not_matched",
    why: expect.stringContaining("another definition"),
  });
});
