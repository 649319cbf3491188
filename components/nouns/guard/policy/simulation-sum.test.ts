import { describe, expect, test } from "vitest";
import type { Simulation } from "@/contracts/guard/policy";
import { addPage, approvalsSentence, nothingSimulated, simulationSentence } from "./simulation-sum";

const page: Simulation = {
  examined: 9_000,
  total: 12_000,
  from: null,
  to: null,
  flips: [
    { before: "require_approval", after: "allow", calls: 300 },
    { before: "allow", after: "deny", calls: 12 },
  ],
  calls: [],
  approvals: { before: 1_230, after: 360 },
  approvalsPerDay: { before: 41, after: 12 },
  days: 15,
  policyVersion: 1,
  nextCursor: "next",
};

describe("what a change would have done, in words", () => {
  test("pages add up", () => {
    const first = addPage(nothingSimulated, page);
    expect(first.isComplete).toBe(false);
    const all = addPage(first, { ...page, examined: 3_000, days: 30, nextCursor: null });
    expect(all).toMatchObject({ examined: 12_000, total: 12_000, isComplete: true, days: 30, approvals: { before: 2_460, after: 720 } });
    expect(simulationSentence(all)).toBe("624 of 12,000 calls in 30 days would change: Ask → Allow (600), Allow → Deny (24)");
    expect(approvalsSentence(all)).toBe("Approvals per day: 82 → 24");
  });

  test("nothing that changes is said too", () => {
    const same = addPage(nothingSimulated, {
      ...page,
      flips: [],
      approvals: { before: 1, after: 1 },
      nextCursor: null,
      examined: 1,
      total: 1,
    });
    expect(simulationSentence(same)).toBe("None of 1 call in 30 days would change.");
    expect(approvalsSentence(same)).toBe("Approvals per day: 0.1, unchanged");
    const empty = addPage(nothingSimulated, {
      ...page,
      examined: 0,
      total: 0,
      flips: [],
      nextCursor: null,
      approvals: { before: 0, after: 0 },
    });
    expect(simulationSentence(empty)).toBe("No calls recorded in 30 days.");
    expect(approvalsSentence(empty)).toBe("Approvals per day: 0, unchanged");
  });
});
