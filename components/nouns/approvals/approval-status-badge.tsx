import { IconArrowsExchange, IconClockOff, IconX } from "@tabler/icons-react";
import { LookBadge, type StatusLook } from "@/components/kit/ui/badges/status-badge";
import type { ApprovalStatus } from "@/contracts/approvals/approvals";

const looks: Record<ApprovalStatus, StatusLook> = {
  pending: { tone: "ask", word: "Pending" },
  approved: { tone: "allow", word: "Approved" },
  rejected: { tone: "deny", word: "Rejected", icon: IconX },
  answered: { tone: "allow", word: "Answered" },
  expired: { tone: "unavailable", word: "Expired", icon: IconClockOff },
  cancelled: { tone: "unavailable", word: "Cancelled" },
  void: { tone: "unavailable", word: "Void", icon: IconArrowsExchange },
};

export const approvalStatusWord = (status: ApprovalStatus): string => looks[status].word;

/** Status of an approval. */
export function ApprovalStatusBadge({ status, plain = false }: { status: ApprovalStatus; plain?: boolean }) {
  return <LookBadge look={looks[status]} plain={plain} />;
}
