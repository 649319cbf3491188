import { IconClock, IconClockOff, IconHelp, IconX } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { CallStatus } from "@/contracts/calls/call-statuses";
import type { TurnStatus } from "@/contracts/turns/turns";

const callLooks = {
  pending: { tone: "unavailable", word: "Not started", icon: undefined },
  awaiting_approval: { tone: "ask", word: "Needs approval", icon: undefined },
  running: { tone: "running", word: "Running", icon: undefined },
  released: { tone: "running", word: "Released", icon: undefined },
  succeeded: { tone: "allow", word: "Succeeded", icon: undefined },
  failed: { tone: "deny", word: "Failed", icon: IconX },
  denied: { tone: "deny", word: "Denied", icon: undefined },
  rejected: { tone: "deny", word: "Rejected", icon: IconX },
  expired: { tone: "unavailable", word: "Expired", icon: IconClockOff },
  timed_out: { tone: "deny", word: "Timed out", icon: IconClock },
  cancelled: { tone: "unavailable", word: "Cancelled", icon: undefined },
  interrupted: { tone: "deny", word: "Outcome unknown", icon: IconHelp },
} as const;

/** Status of a tool call. */
export function CallStatusBadge({ status, plain = false }: { status: CallStatus; plain?: boolean }) {
  const { tone, word, icon } = callLooks[status];
  return (
    <StatusBadge tone={tone} icon={icon} plain={plain}>
      {word}
    </StatusBadge>
  );
}

const turnLooks = {
  running: { tone: "running", word: "Running" },
  suspended: { tone: "ask", word: "Needs approval" },
  completed: { tone: "allow", word: "Completed" },
  cancelled: { tone: "unavailable", word: "Cancelled" },
} as const;

export const turnStatusWords: Record<TurnStatus, string> = {
  running: turnLooks.running.word,
  suspended: turnLooks.suspended.word,
  completed: turnLooks.completed.word,
  cancelled: turnLooks.cancelled.word,
};

type TurnStatusBadgeProps = {
  status: TurnStatus;
  /** A running tool of the turn waits for a person's answer. */
  isAsking?: boolean;
  plain?: boolean;
};

/** Status of a turn. */
export function TurnStatusBadge({ status, isAsking = false, plain = false }: TurnStatusBadgeProps) {
  const { tone, word } = turnLooks[isAsking && status === "running" ? "suspended" : status];
  return (
    <StatusBadge tone={tone} plain={plain}>
      {word}
    </StatusBadge>
  );
}
