import { expect, test } from "vitest";
import { buildRequest, mcpTool, policyOfRules } from "@/server/testing/guard/guarded-calls";
import type { GuardedTool } from "../call/guard-request";
import { decide } from "../decide";
import { actsInside, reads, sends } from "../effects/declare-effects";

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

test("a tool whose declared effects stay inside Handrail is not asked about for its name, one that reaches a host is", () => {
  const sendsFile = { name: "channel_send_file", source: "channel" as const, sensitiveVerb: "send" };
  const inside = [reads("/path", "report.txt"), actsInside("sends a file to the chat of the conversation")];
  expect(foundIn({ ...sendsFile, effects: () => inside })).toEqual([]);
  const found = expect.objectContaining({ detector: "mcp.sensitive_verb" });
  expect(foundIn({ ...sendsFile, effects: () => [] })).toContainEqual(found);
  expect(foundIn({ ...sendsFile, effects: () => [...inside, sends("", "https://example.com/")] })).toContainEqual(found);
  expect(foundIn({ ...sendsFile, effects: () => [reads("/path", "report.txt")] })).toContainEqual(found);
});
