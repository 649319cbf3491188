import { LookBadge, type StatusLook } from "@/components/kit/ui/badges/status-badge";
import type { RunStatus } from "@/contracts/runs/runs";

const looks: Record<RunStatus, StatusLook> = {
  queued: { tone: "unavailable", word: "Queued" },
  running: { tone: "running", word: "Running" },
  waiting: { tone: "ask", word: "Waiting" },
  succeeded: { tone: "allow", word: "Succeeded" },
  failed: { tone: "deny", word: "Failed" },
  cancelled: { tone: "unavailable", word: "Cancelled" },
  limited: { tone: "ask", word: "Ended at a limit" },
};

/** Status of a run, in words. A run may wait for a person or for other work. */
export function RunStatusBadge({ status, plain = false }: { status: RunStatus; plain?: boolean }) {
  return <LookBadge look={looks[status]} plain={plain} />;
}
