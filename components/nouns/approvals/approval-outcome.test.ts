import { describe, expect, test } from "vitest";
import type { Approval } from "@/contracts/approvals/approvals";
import type { Call } from "@/contracts/turns/turns";
import { outcomeSentence } from "./approval-outcome";

const approved: Pick<Approval, "kind" | "status" | "comment" | "quorum"> = {
  kind: "call",
  status: "approved",
  comment: "",
  quorum: { needed: 1, got: 1 },
};
const told = (status: Call["status"], durationMs: number | null = 1_200) => outcomeSentence(approved, { status, durationMs } as Call);

describe("what became of an approved call", () => {
  test("a call that timed out is not said to have run", () => {
    expect(told("timed_out")).toBe("Timed out after 1.2 s.");
  });

  test("the sentence follows the call", () => {
    expect([told("pending", null), told("running", null), told("succeeded"), told("failed"), told("denied", null)]).toEqual([
      "Approved. Waiting to run.",
      "Approved. Running…",
      "Succeeded in 1.2 s.",
      "Failed after 1.2 s.",
      "Denied by the guard when it was about to run.",
    ]);
  });

  test("a question is declined, and no call is said not to have run", () => {
    expect(outcomeSentence({ ...approved, kind: "question", status: "rejected" }, undefined)).toBe("Declined. The tool was told.");
  });

  test("a vote that is not the last says how many are there", () => {
    expect(outcomeSentence({ ...approved, status: "pending", quorum: { needed: 2, got: 1 } }, undefined)).toBe(
      "Your approval counts. 1 of 2 approvals so far.",
    );
  });
});
