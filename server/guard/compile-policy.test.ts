import { describe, expect, test } from "vitest";
import { buildRequest, buildRule, mcpTool, policyOfRules, readTool, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import type { GuardedTool } from "./call/guard-request";
import { compilePolicy, type Policy, withRule } from "./compile-policy";
import { decide } from "./decide";
import { compileGrants } from "./grants/compile-grants";
import { compareRuleOrder } from "./matching/compile-rule";

const idsFor = (policy: Policy, tool: GuardedTool) => policy.rulesFor(tool).map(({ id }) => id);

describe("the rules for a tool", () => {
  const policy = policyOfRules([
    { id: "glob", tool: "read_*", priority: 3 },
    { id: "named", tool: "read_file", priority: 5 },
    { id: "later", tool: "read_file", priority: 1 },
    { id: "kind", tool: "effect:read", priority: 4 },
    { id: "all", tool: "*", priority: 2 },
    { id: "off", tool: "*", priority: 9, enabled: false },
    { id: "other", tool: "write_file", priority: 8 },
  ]);

  test("are those that cover it, in the order in which they are tried, however they name it", () => {
    expect(idsFor(policy, readTool)).toEqual(["named", "kind", "glob", "all", "later"]);
    expect(idsFor(policy, writeTool)).toEqual(["other", "all"]);
    expect(idsFor(policy, mcpTool)).toEqual(["all"]);
  });

  test("are those of what it is now, when a tool of the same name gets another effect, source, surface or capability", () => {
    const kinds = policyOfRules(["effect:read", "source:mcp", "surface:escalate", "needs:shell"].map((tool) => ({ id: tool, tool })));
    expect(idsFor(kinds, { ...readTool, effect: "write" })).toEqual([]);
    expect(idsFor(kinds, readTool)).toEqual(["effect:read"]);
    expect(idsFor(kinds, { ...readTool, source: "mcp" })).toEqual(["effect:read", "source:mcp"]);
    expect(idsFor(kinds, { ...readTool, surface: "escalate" })).toEqual(["effect:read", "surface:escalate"]);
    expect(idsFor(kinds, { ...readTool, needs: ["files", "shell"] })).toEqual(["effect:read", "needs:shell"]);
    expect(idsFor(kinds, { ...readTool, name: "read", needs: [] })).toEqual(["effect:read"]);
    expect(idsFor(kinds, shellTool)).toEqual(["needs:shell"]);
  });
});

test("a rule of higher priority is tried first, and of equal ones the older", () => {
  const order = [
    { id: "b", priority: 1 },
    { id: "a", priority: 1 },
    { id: "c", priority: 2 },
  ].toSorted(compareRuleOrder);
  expect(order.map(({ id }) => id)).toEqual(["c", "a", "b"]);
  expect([...order].reverse().toSorted(compareRuleOrder)).toEqual(order);
});

describe("a policy that is tried with another rule", () => {
  const grants = compileGrants([]);
  const before = { ...policyOfRules([{ id: "a", tool: "read_file", verdict: "deny", priority: 1 }]), grants };

  test("has it in its place beside the others", () => {
    const after = withRule(before, buildRule({ id: "b", tool: "read_*", verdict: "allow", priority: 2 }));
    expect(idsFor(after, readTool)).toEqual(["b", "a"]);
    expect(decide(after, buildRequest(readTool, { path: "a" })).verdict).toBe("allow");
    expect(after).toMatchObject({ version: 7, fileDigest: null, grants });
  });
  test("has it instead of what the rule was", () => {
    expect(idsFor(withRule(before, buildRule({ id: "a", tool: "write_file" })), readTool)).toEqual([]);
    expect(idsFor(withRule(before, buildRule({ id: "a", tool: "write_file" })), writeTool)).toEqual(["a"]);
  });
  test("does not have it when it is switched off", () => {
    expect(withRule(before, buildRule({ id: "a", enabled: false })).rules).toEqual([]);
    expect(withRule(before, buildRule({ id: "b", enabled: false })).rules.map(({ id }) => id)).toEqual(["a"]);
  });
  test("leaves the policy as it was", () => {
    withRule(before, buildRule({ id: "b" }));
    expect(idsFor(before, readTool)).toEqual(["a"]);
    expect(decide(before, buildRequest(readTool, { path: "a" })).verdict).toBe("deny");
  });
});

test("a decision says by which policy it was made, and by which file", () => {
  const config = { enabled: true, defaultPolicy: "allow", detectors: {}, deniedTools: [], sensitivePaths: [], allowedHosts: [] } as const;
  const policy = (fileDigest?: string) =>
    compilePolicy({ version: 3, config: { ...config, deniedTools: [], sensitivePaths: [], allowedHosts: [] }, rules: [], fileDigest });
  const call = buildRequest(readTool, { path: "a" });
  expect(decide(policy("0123456789abcdef"), call)).toMatchObject({ policyVersion: 3, policyFile: "0123456789ab" });
  expect(decide(policy(), call)).toMatchObject({ policyVersion: 3 });
  expect(decide(policy(), call)).not.toHaveProperty("policyFile");
});
