import { expect, test } from "vitest";
import type { Approval } from "@/contracts/approvals/approvals";
import { rememberScopes, whyNotRemembered } from "./remember-choices";

const finding = { detector: "a", verdict: "require_approval", message: "", excerpt: "", explanation: "", fix: "" } as const;
const decisionWith = (...severities: ("critical" | "high")[]): Approval["decision"] => ({
  verdict: "require_approval",
  reason: "",
  ruleId: null,
  ruleDigest: null,
  findings: severities.map((severity) => ({ ...finding, severity })),
  trace: [],
  policyVersion: 1,
});

test("a call with a critical finding, or a gate, is approved each time; every other may be remembered", () => {
  expect(whyNotRemembered({ decision: decisionWith("high", "critical"), arguments: {} })).toContain("critical finding");
  expect(whyNotRemembered({ decision: decisionWith(), arguments: { gate: "plan" } })).toContain("Gates");
  expect(whyNotRemembered({ decision: decisionWith("high"), arguments: { command: "ls" } })).toBeNull();
});

test("the choices name the agent and who asked", () => {
  const scopes = rememberScopes({ agent: "deployer", requestedBy: { type: "api_key", id: "k", name: "ci" } });
  expect(scopes).toMatchObject({ agent: "For the agent deployer", user: "For requests from ci" });
});
