import { describe, expect, test } from "vitest";
import type { Finding } from "@/contracts/decisions/decision";
import { reasonBeside } from "./approval-reason";

const finding = { message: "Deletes files recursively" } as Finding;

describe("the reason beside its findings", () => {
  test("what a finding says is not said twice", () => {
    expect(reasonBeside({ reason: "Deletes files recursively", findings: [finding] }, null)).toBe("");
  });

  test("a second reason is kept when a finding says the first", () => {
    const reason = "Deletes files recursively. Refused earlier in this conversation.";
    expect(reasonBeside({ reason, findings: [finding] }, null)).toBe("Refused earlier in this conversation.");
  });

  test("the reason of a rule is kept whole, unless the rule has none of its own", () => {
    expect(reasonBeside({ reason: "Ask before deleting.", findings: [finding] }, "Deletes")).toBe("Ask before deleting.");
    const composed = 'Rule "Deletes" requires approval for this call of shell_execute.';
    expect(reasonBeside({ reason: composed, findings: [] }, "Deletes")).toBe("");
  });
});
