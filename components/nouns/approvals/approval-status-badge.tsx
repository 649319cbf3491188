import { IconArrowsExchange, IconClockOff, IconX } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { ApprovalStatus } from "@/contracts/approvals/approvals";

const looks = {
  pending: { tone: "ask", word: "Pending", icon: undefined },
  approved: { tone: "allow", word: "Approved", icon: undefined },
  rejected: { tone: "deny", word: "Rejected", icon: IconX },
  answered: { tone: "allow", word: "Answered", icon: undefined },
  expired: { tone: "unavailable", word: "Expired", icon: IconClockOff },
  cancelled: { tone: "unavailable", word: "Cancelled", icon: undefined },
  void: { tone: "unavailable", word: "Void", icon: IconArrowsExchange },
} as const;

export const approvalStatusWords: Record<ApprovalStatus, string> = {
  pending: looks.pending.word,
  approved: looks.approved.word,
  rejected: looks.rejected.word,
  answered: looks.answered.word,
  expired: looks.expired.word,
  cancelled: looks.cancelled.word,
  void: looks.void.word,
};

/** Status of an approval. */
export function ApprovalStatusBadge({ status, plain = false }: { status: ApprovalStatus; plain?: boolean }) {
  const { tone, word, icon } = looks[status];
  return (
    <StatusBadge tone={tone} icon={icon} plain={plain}>
      {word}
    </StatusBadge>
  );
}
