import { IconClock, IconClockOff, IconHelp, IconX } from "@tabler/icons-react";
import { LookBadge, type StatusLook } from "@/components/kit/ui/badges/status-badge";
import type { CallStatus } from "@/contracts/calls/call-statuses";
import type { TurnStatus } from "@/contracts/turns/turns";

const callLooks: Record<CallStatus, StatusLook> = {
  pending: { tone: "unavailable", word: "Not started" },
  awaiting_approval: { tone: "ask", word: "Needs approval" },
  running: { tone: "running", word: "Running" },
  released: { tone: "running", word: "Released" },
  succeeded: { tone: "allow", word: "Succeeded" },
  failed: { tone: "deny", word: "Failed", icon: IconX },
  denied: { tone: "deny", word: "Denied" },
  rejected: { tone: "deny", word: "Rejected", icon: IconX },
  expired: { tone: "unavailable", word: "Expired", icon: IconClockOff },
  timed_out: { tone: "deny", word: "Timed out", icon: IconClock },
  cancelled: { tone: "unavailable", word: "Cancelled" },
  interrupted: { tone: "deny", word: "Outcome unknown", icon: IconHelp },
};

/** Status of a tool call. */
export function CallStatusBadge({ status, plain = false }: { status: CallStatus; plain?: boolean }) {
  return <LookBadge look={callLooks[status]} plain={plain} />;
}

const turnLooks: Record<TurnStatus, StatusLook> = {
  running: { tone: "running", word: "Running" },
  suspended: { tone: "ask", word: "Needs approval" },
  completed: { tone: "allow", word: "Completed" },
  cancelled: { tone: "unavailable", word: "Cancelled" },
};

export const turnStatusWord = (status: TurnStatus): string => turnLooks[status].word;

type TurnStatusBadgeProps = {
  status: TurnStatus;
  /** A running tool of the turn waits for a person's answer. */
  isAsking?: boolean;
  plain?: boolean;
};

/** Status of a turn. */
export function TurnStatusBadge({ status, isAsking = false, plain = false }: TurnStatusBadgeProps) {
  return <LookBadge look={turnLooks[isAsking && status === "running" ? "suspended" : status]} plain={plain} />;
}
