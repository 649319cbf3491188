import { expect, test } from "vitest";
import type { GuardRule } from "@/contracts/guard/guard";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { diffPolicies, type PolicyContent } from "./diff-policies";
import { settingsBefore } from "./rules/policy-settings";
import { readSnapshot } from "./versions/read-snapshot";

const config = { enabled: true, defaultPolicy: "by_effect", approvalTimeoutSeconds: 1_800, ...settingsBefore } as const;
const time = "2026-03-01T10:00:00.000Z";

function ruleOf(id: string, content: Partial<GuardRule> = {}): GuardRule {
  const draft = GuardRuleDraft.parse({ name: id, tool: "read_file", verdict: "deny" });
  return { ...draft, id, source: "workspace", version: 1, createdAt: time, updatedAt: time, ...content };
}
const policy = (...rules: GuardRule[]): PolicyContent => ({ config, rules });

test("changed rules stand before moved ones, and both are counted", () => {
  const before = policy(ruleOf("a"), ruleOf("b"), ruleOf("c"), ruleOf("gone", { pattern: "^x" }));
  const after = policy(
    ruleOf("a", { priority: 30 }),
    ruleOf("b", { priority: 20, verdict: "allow" }),
    ruleOf("c"),
    ruleOf("new", { priority: 5, reason: "Why not" }),
  );
  const { rules, reordered, total, settings } = diffPolicies(before, after);
  expect(rules).toEqual([
    {
      kind: "removed",
      ruleId: "gone",
      name: "gone",
      source: "workspace",
      fields: [
        { field: "verdict", before: "deny", after: null },
        { field: "tool", before: "read_file", after: null },
        { field: "pattern", before: "^x", after: null },
        { field: "priority", before: 100, after: null },
      ],
    },
    {
      kind: "changed",
      ruleId: "b",
      name: "b",
      source: "workspace",
      fields: [
        { field: "verdict", before: "deny", after: "allow" },
        { field: "priority", before: 100, after: 20 },
      ],
    },
    {
      kind: "added",
      ruleId: "new",
      name: "new",
      source: "workspace",
      fields: [
        { field: "verdict", before: null, after: "deny" },
        { field: "tool", before: null, after: "read_file" },
        { field: "reason", before: null, after: "Why not" },
        { field: "priority", before: null, after: 5 },
      ],
    },
    { kind: "changed", ruleId: "a", name: "a", source: "workspace", fields: [{ field: "priority", before: 100, after: 30 }] },
  ]);
  expect({ reordered, total, settings }).toEqual({ reordered: 1, total: 4, settings: [] });
});

test("a comparison lists two hundred of many changed rules and counts all", () => {
  const many = Array.from({ length: 201 }, (_, at) => ruleOf(`r${at}`));
  const diff = diffPolicies(policy(), policy(...many));
  expect(diff.rules).toHaveLength(200);
  expect(diff.total).toBe(201);
});

test("settings are told one by one", () => {
  const after = { config: { ...config, enabled: false, deniedTools: ["bash"], allowedHosts: ["*.example.com"] }, rules: [] };
  expect(diffPolicies(policy(), after).settings).toEqual([
    { field: "enabled", before: true, after: false },
    { field: "deniedTools", before: [], after: ["bash"] },
    { field: "allowedHosts", before: [], after: ["*.example.com"] },
  ]);
});

test("a version that is older than a field has what the field means when it is left out", () => {
  const { excludePattern: _e, comparisons: _c, context: _x, relaxes: _r, source: _s, ...old } = ruleOf("old");
  const { detectors: _d, deniedTools: _t, sensitivePaths: _p, allowedHosts: _h, escalatePatterns: _w, ...oldConfig } = config;
  const read = readSnapshot({ config: oldConfig as typeof config, rules: [old as GuardRule] });
  expect(read).toEqual({ config, own: [ruleOf("old")], rules: [ruleOf("old")] });
  expect(diffPolicies(read, policy(ruleOf("old"))).total).toBe(0);
});

test("a version has the rules of the policy file behind those of the workspace", () => {
  const inFile = ruleOf("file", { source: "file" });
  const read = readSnapshot({ config, rules: [ruleOf("own")], fileRules: [inFile] });
  expect(read.own).toEqual([ruleOf("own")]);
  expect(read.rules).toEqual([ruleOf("own"), inFile]);
});
