import { IconClock, IconHelp, IconHourglass, type IconProps, IconX } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { Tone } from "@/components/kit/ui/tone";
import type { JobStatus } from "@/contracts/calls/jobs";

const looks: Record<JobStatus, { tone: Tone; word: string; icon?: ComponentType<IconProps> }> = {
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
  const { tone, word, icon } = looks[status];
  return (
    <StatusBadge tone={tone} icon={icon} plain={plain}>
      {word}
    </StatusBadge>
  );
}
