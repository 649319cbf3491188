import type { InboxRow } from "@/contracts/approvals/approvals";
import { severities } from "@/contracts/browser/decisions/decision";

type Risk = InboxRow["risk"];

/** Splits approvals into those that can get one decision together and those that cannot, with the reason. */
export function splitDecidable(rows: readonly InboxRow[], decision: "approve" | "reject") {
  const leftOut: { row: InboxRow; reason: string }[] = [];
  const together: InboxRow[] = [];
  for (const row of rows) {
    const reason = whyAlone(row, decision);
    if (reason === null) together.push(row);
    else leftOut.push({ row, reason });
  }
  return { together, leftOut };
}

function whyAlone({ kind, risk, mayDecide }: InboxRow, decision: "approve" | "reject"): string | null {
  if (!mayDecide.isAllowed) return mayDecide.reason ?? "you may not decide these approvals.";
  if (kind === "question") return "questions are answered one by one.";
  // A person must open a critical call before approving it.
  if (decision === "approve" && risk === "critical") return "critical calls are approved one by one.";
  return null;
}

/** Counts approvals by shape, the most frequent first. */
export function countShapes(rows: readonly InboxRow[]): { shape: string; count: number; worstRisk: Risk }[] {
  const groups = Map.groupBy(rows, ({ shape, tool }) => shape || tool.name);
  return [...groups]
    .map(([shape, of]) => ({ shape, count: of.length, worstRisk: worstOf(of) }))
    .sort((a, b) => b.count - a.count || a.shape.localeCompare(b.shape));
}

function worstOf(rows: readonly InboxRow[]): Risk {
  return severities.find((severity) => rows.some(({ risk }) => risk === severity)) ?? "info";
}
