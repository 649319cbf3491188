import { IconClock, IconHelp, IconHourglass, IconX } from "@tabler/icons-react";
import { LookBadge, type StatusLook } from "@/components/kit/ui/badges/status-badge";
import type { JobStatus } from "@/contracts/calls/jobs";

const looks: Record<JobStatus, StatusLook> = {
  pending: { tone: "unavailable", word: "Queued", icon: IconHourglass },
  running: { tone: "running", word: "Running" },
  succeeded: { tone: "allow", word: "Succeeded" },
  failed: { tone: "deny", word: "Failed", icon: IconX },
  timed_out: { tone: "deny", word: "Timed out", icon: IconClock },
  cancelled: { tone: "unavailable", word: "Cancelled" },
  interrupted: { tone: "deny", word: "Outcome unknown", icon: IconHelp },
};

export const jobStatusWord = (status: JobStatus): string => looks[status].word;

/** Status of a background job. */
export function JobStatusBadge({ status, plain = false }: { status: JobStatus; plain?: boolean }) {
  return <LookBadge look={looks[status]} plain={plain} />;
}
