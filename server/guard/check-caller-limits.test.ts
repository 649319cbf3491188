import { describe, expect, test } from "vitest";
import type { TrustClass } from "@/contracts/tools/trust";
import { buildRequest, mcpTool, policyOfRules, readTool, writeTool } from "@/server/testing/guard/guarded-calls";
import type { GuardContext, GuardedTool } from "./call/guard-request";
import { decide } from "./decide";

const destroyTool: GuardedTool = { ...mcpTool, name: "notes__delete", effect: "destroy" };
const anything = policyOfRules([{ tool: "*", verdict: "allow" }]);
const decided = (tool: GuardedTool, context: Partial<GuardContext>, policy = anything) =>
  decide(policy, { ...buildRequest(tool, { path: "a", content: "b" }), context: { interactive: true, ...context } });

describe("what an agent and a key may do at all", () => {
  const reader: Partial<GuardContext> = { limits: [{ whose: "the agent", effects: ["read"] }] };

  test("is a limit that no rule lifts", () => {
    expect(decided(readTool, reader).verdict).toBe("allow");
    expect(decided(writeTool, reader)).toMatchObject({
      verdict: "deny",
      reason: "write_file can write, and the agent may only use tools that can read.",
      ruleId: null,
      ruleDigest: null,
      findings: [],
      trace: [],
    });
  });

  test("is said in all its words", () => {
    const limits = [{ whose: "the key", effects: ["read", "write"] as const }];
    expect(decided(destroyTool, { limits }).reason).toBe(
      "notes__delete can destroy, and the key may only use tools that can read or write.",
    );
    expect(decided(readTool, { limits: [{ whose: "the key", effects: [] }] }).reason).toBe(
      "read_file can read, and the key may only use tools that can do nothing.",
    );
  });

  test("is limited by each of the two", () => {
    const limits = [
      { whose: "the agent", effects: ["read", "write"] as const },
      { whose: "the key", effects: ["read"] as const },
    ];
    expect(decided(readTool, { limits }).verdict).toBe("allow");
    expect(decided(writeTool, { limits }).reason).toContain("the key may only");
  });

  test("is everything where nothing is said", () => {
    expect(decided(writeTool, {}).verdict).toBe("allow");
    expect(decided(writeTool, { limits: [] }).verdict).toBe("allow");
  });

  test("holds with the guard switched off", () => {
    expect(decided(writeTool, reader, policyOfRules([], { enabled: false })).verdict).toBe("deny");
  });
});

describe("a tool for callers of a trust class", () => {
  test.each<[required: TrustClass, trust: TrustClass | undefined, verdict: string]>([
    ["child_agent", "child_agent", "allow"],
    ["child_agent", "operator", "allow"],
    ["gateway", "child_agent", "deny"],
    ["gateway", "gateway", "allow"],
    ["gateway", "operator", "allow"],
    ["operator", "gateway", "deny"],
    ["operator", "operator", "allow"],
    ["child_agent", undefined, "deny"],
    ["operator", undefined, "deny"],
  ])("%s, called by one of the class %s: %s", (requiredTrust, trust, verdict) => {
    expect(decided({ ...writeTool, requiredTrust }, { trust }).verdict).toBe(verdict);
  });

  test("says which class it is for, and which the caller has", () => {
    const tool: GuardedTool = { ...writeTool, requiredTrust: "operator" };
    expect(decided(tool, { trust: "gateway" }).reason).toBe(
      "trust_class_denied: write_file is for callers of the trust class operator, and this one is gateway.",
    );
    expect(decided(tool, {}).reason).toBe(
      "trust_class_denied: write_file is for callers of the trust class operator, and this one is of none.",
    );
  });

  test("is for everybody where it asks for none", () => {
    expect(decided({ ...writeTool, requiredTrust: null }, {}).verdict).toBe("allow");
  });
});
