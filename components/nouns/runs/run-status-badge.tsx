import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { RunStatus } from "@/contracts/runs/runs";

/** Status of a run, in words. A run may wait for a person or for other work. */
export function RunStatusBadge({ status, plain = false }: { status: RunStatus; plain?: boolean }) {
  return (
    <StatusBadge tone={tones[status]} plain={plain}>
      {words[status]}
    </StatusBadge>
  );
}

const words: Record<RunStatus, string> = {
  queued: "Queued",
  running: "Running",
  waiting: "Waiting",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
  limited: "Ended at a limit",
};

const tones = {
  queued: "unavailable",
  running: "running",
  waiting: "ask",
  succeeded: "allow",
  failed: "deny",
  cancelled: "unavailable",
  limited: "ask",
} as const;
