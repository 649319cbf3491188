import { expect, test } from "vitest";
import { buildRequest, mcpTool, policyOfRules } from "@/server/testing/guarded-calls";
import type { GuardedTool } from "../call/guard-request";
import { decide } from "../decide";

const foundIn = (tool: Partial<GuardedTool>) =>
  decide(policyOfRules([{ verdict: "allow" }]), buildRequest({ ...mcpTool, ...tool }, {})).findings;

test("a tool with an escalate word in its name is asked about where models may call it", () => {
  expect(foundIn({ name: "pay__send_money", sensitiveVerb: "send" })).toMatchObject([
    { detector: "mcp.sensitive_verb", verdict: "require_approval", message: 'The name of the tool pay__send_money has the word "send".' },
  ]);
});

test.each<Partial<GuardedTool>>([{ sensitiveVerb: null }, {}, { sensitiveVerb: "send", surface: "escalate" }])(
  "nothing is found in %j",
  (tool) => {
    expect(foundIn(tool)).toEqual([]);
  },
);
