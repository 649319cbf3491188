import { describe, expect, test } from "vitest";
import type { Finding, Verdict } from "@/contracts/decisions/decision";
import {
  buildRequest,
  buildRule,
  mcpTool,
  noDetectorSettings,
  policyOfRules,
  readTool,
  shellCall,
  writeTool,
} from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "./call/analyzed-call";
import type { Policy } from "./compile-policy";
import { decide } from "./decide";
import { compileDetectors } from "./detectors/detect";
import type { Detector } from "./detectors/detector";
import type { RuleContent } from "./matching/compile-rule";
import type { PolicyConfig } from "./policy-config";

const read = buildRequest(readTool, { path: "a" });

function finding(verdict: Verdict, content: Partial<Finding> = {}): Finding {
  const texts = { message: "It does something.", excerpt: "a", explanation: "Why.", fix: "Do another thing." };
  return { detector: `test.${verdict}`, severity: "high", verdict, ...texts, ...content };
}

/** A policy whose detectors report these findings. */
function finds(
  findings: Finding[],
  rules: Partial<RuleContent>[] = [{ verdict: "allow" }],
  policy: Parameters<typeof policyOfRules>[1] = {},
): Policy {
  return { ...policyOfRules(rules, policy), detect: () => ({ findings, failed: [] }) };
}

describe("the strictest of findings and rules counts", () => {
  test.each<[finding: Verdict, rule: Verdict, verdict: Verdict, decidedBy: "rule" | "finding"]>([
    ["allow", "allow", "allow", "rule"],
    ["allow", "require_approval", "require_approval", "rule"],
    ["allow", "deny", "deny", "rule"],
    ["require_approval", "allow", "require_approval", "finding"],
    ["require_approval", "require_approval", "require_approval", "rule"],
    ["require_approval", "deny", "deny", "rule"],
    ["deny", "allow", "deny", "finding"],
    ["deny", "require_approval", "deny", "finding"],
    ["deny", "deny", "deny", "rule"],
  ])("a finding that says %s and a rule that says %s: %s, by the %s", (found, said, verdict, decidedBy) => {
    const decision = decide(finds([finding(found)], [{ verdict: said, reason: "Because." }]), read);
    expect(decision.verdict).toBe(verdict);
    expect(decision.ruleId).toBe(decidedBy === "rule" ? "rule-1" : null);
    expect(decision.reason).toBe(decidedBy === "rule" ? "Because." : `It does something. Do another thing. (test.${found})`);
    expect(decision.findings).toEqual([finding(found)]);
    expect(decision.trace).toMatchObject([{ ruleId: "rule-1", result: "matched" }]);
  });

  test("over a default policy that is as strict, the finding is what is told", () => {
    const decision = decide(finds([finding("require_approval")], [], { defaultPolicy: "require_approval" }), read);
    expect(decision).toMatchObject({
      verdict: "require_approval",
      ruleId: null,
      reason: expect.stringContaining("(test.require_approval)"),
    });
  });

  test("a milder finding than the default policy leaves the telling to it", () => {
    const decision = decide(finds([finding("require_approval")], [], { defaultPolicy: "deny" }), read);
    expect(decision).toMatchObject({ verdict: "deny", reason: "No rule matched. Default: deny." });
  });

  test("a finding that an admin lets pass leaves the telling to the default policy", () => {
    const decision = decide(finds([finding("allow")], []), read);
    expect(decision).toMatchObject({ verdict: "allow", ruleId: null, reason: "No rule matched. This call of read_file only reads." });
    expect(decision.ruleDigest).toBe(decide(finds([], []), read).ruleDigest);
  });

  test("the first of the strictest findings is told, and how many there are", () => {
    const findings = [
      finding("require_approval"),
      finding("deny", { detector: "test.first" }),
      finding("deny", { detector: "test.second" }),
    ];
    expect(decide(finds(findings), read).reason).toBe(
      "It does something. Do another thing. (test.first) It was found to be dangerous in 2 ways.",
    );
  });

  test("a call that was analyzed already is decided the same", () => {
    const call = shellCall("cat ../x");
    expect(decide(policyOfRules([]), analyzeCall(call))).toEqual(decide(policyOfRules([]), call));
  });
});

describe("what an approval is bound to", () => {
  const digest = (findings: Finding[], rules?: Partial<RuleContent>[], config?: Parameters<typeof policyOfRules>[1]) =>
    decide(finds(findings, rules, config), read).ruleDigest;
  const asks = finding("require_approval");

  test("stays the same while the same is found, whatever a rule that allows is called and however it came to allow", () => {
    expect(digest([asks])).toBe(digest([asks]));
    expect(digest([asks])).toBe(digest([asks], [{ verdict: "allow", pattern: "a" }]));
    expect(digest([asks])).toBe(digest([asks, finding("allow")]));
  });

  test("changes with each thing that a person was shown", () => {
    const other = [
      digest([asks, finding("require_approval", { detector: "test.other" })]),
      digest([finding("require_approval", { detector: "test.other" })]),
      digest([finding("require_approval", { severity: "critical" })]),
      digest([finding("require_approval", { excerpt: "b" })]),
      digest([finding("require_approval", { message: "It does another thing." })]),
      digest([asks], [{ verdict: "require_approval" }]),
      digest([asks], [{ verdict: "require_approval", pattern: "a" }]),
      digest([asks], [], { defaultPolicy: "require_approval" }),
      digest([], [{ verdict: "require_approval" }]),
    ];
    expect(new Set([digest([asks]), ...other]).size).toBe(other.length + 1);
  });

  test("is the rule's alone where nothing was found", () => {
    const [rule] = policyOfRules([{ verdict: "require_approval" }]).rules;
    expect(digest([], [{ verdict: "require_approval" }])).toBe(rule?.digest());
    expect(digest([finding("allow")], [{ verdict: "require_approval" }])).toBe(rule?.digest());
  });
});

test("the list of denied tools denies by name, glob and kind, over every rule and with the guard off", () => {
  const deny = (deniedTools: string[], config = {}) => decide(policyOfRules([buildRule()], { deniedTools, ...config }), read);
  expect(deny(["read_file"])).toMatchObject({ verdict: "deny", reason: "read_file is on the list of denied tools.", ruleId: null });
  expect(deny(["x", "read_*"])).toMatchObject({ verdict: "deny", reason: "read_file is on the list of denied tools (read_*)." });
  expect(deny(["source:builtin"], { enabled: false }).verdict).toBe("deny");
  expect(deny(["write_file"]).verdict).toBe("allow");
  expect(deny([], { enabled: false })).toMatchObject({ verdict: "allow", findings: [], trace: [] });
});

describe("detectors of a policy", () => {
  const text = { title: "A test", severity: "high" as const, explanation: "Why.", fix: "Not so.", relaxable: true };
  const always: Detector = {
    ...text,
    id: "test.always",
    verdict: "require_approval",
    appliesTo: () => true,
    find: () => [{ message: "It is there.", text: "a" }],
  };
  const run = (all: Detector[], settings: PolicyConfig["detectors"] = {}, call = read) =>
    compileDetectors(settings, noDetectorSettings, all)(analyzeCall(call));

  test("one that throws counts as having found something, and the trace says so", () => {
    const broken = { ...always, id: "test.broken", find: () => JSON.parse("{") as [] };
    const { findings, failed } = run([broken]);
    expect(findings).toMatchObject([
      { detector: "test.broken", verdict: "require_approval", message: expect.stringContaining("could not look") },
    ]);
    expect(failed).toMatchObject([{ ruleId: "test.broken", ruleName: "A test", result: "could_not_evaluate" }]);
    const decision = decide(
      { ...policyOfRules([{ verdict: "allow" }]), detect: compileDetectors({}, noDetectorSettings, [broken, broken]) },
      read,
    );
    expect(decision.verdict).toBe("require_approval");
    expect(decision.trace.map(({ result }) => result)).toEqual(["could_not_evaluate", "could_not_evaluate", "matched"]);
  });

  test("one is asked about calls of tools that it applies to, and about a tool only once", () => {
    let asked = 0;
    const picky: Detector = {
      ...always,
      appliesTo: ({ name }) => {
        asked += 1;
        return name === "write_file";
      },
    };
    const detect = compileDetectors({}, noDetectorSettings, [picky]);
    expect(detect(analyzeCall(read)).findings).toEqual([]);
    expect(detect(analyzeCall(buildRequest(writeTool, { path: "a" }))).findings).toHaveLength(1);
    expect(detect(analyzeCall(read)).findings).toEqual([]);
    expect(asked).toBe(2);
  });

  test("an admin's verdict takes the place of its own, and off is off", () => {
    const relaxed = { "test.always": { enabled: true, verdict: "allow" as const } };
    expect(run([always], relaxed).findings).toMatchObject([{ verdict: "allow" }]);
    expect(run([always], { "test.always": { enabled: false } }).findings).toEqual([]);
    expect(run([always], { "test.always": { enabled: true } }).findings).toMatchObject([{ verdict: "require_approval" }]);
  });

  test("the first sighting is told and the others counted, in a sentence without secrets, invisible signs and end", () => {
    const secret = `AKIA${"IOSFODNN7EXAMPLE"}`;
    const sightings = [
      { message: `It holds ${secret} and \u202E ${"x".repeat(600)}`, text: secret },
      { message: "b", text: "b" },
    ];
    const [found] = run([{ ...always, find: () => sightings }]).findings;
    expect(found?.message).toMatch(/^It holds AK\*\*\*LE and \\u\{202e\} x+ \(2×\)\.$/);
    expect(found?.message.length).toBeLessThan(530);
    expect(found?.excerpt).toBe("AK***LE");
  });
});

test("an ordinary call has no findings", () => {
  const policy = policyOfRules([{ verdict: "allow" }]);
  const calls = [read, buildRequest(mcpTool, { title: "b", body: { text: "Some words about a thing." }, tags: [2, 1] })];
  for (const call of calls) expect(decide(policy, call).findings).toEqual([]);
});
