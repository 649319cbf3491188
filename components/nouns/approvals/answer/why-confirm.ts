import { sandboxExits } from "@/components/nouns/effects/sandbox-exits";
import type { Approval } from "@/contracts/approvals/approvals";
import type { AnswerKey } from "./answer-drafts";

/** Returns why an answer by key is asked for a second time; null when one press is enough. */
export function whyConfirm(approval: Pick<Approval, "kind" | "risk" | "decision">, key: AnswerKey): string | null {
  if (key === "edit") return null;
  // Declining sends what was typed at once; the rejection of a call opens a form.
  if (key === "reject") return approval.kind === "question" ? "The tool is told that nobody answers." : null;
  const { sandboxed, effects = [] } = approval.decision;
  if (sandboxed && sandboxExits(effects).length > 0) return "This call leaves the sandbox.";
  if (approval.risk === "high" || approval.risk === "critical") return `The risk is ${approval.risk}.`;
  return null;
}
