import { IconAlertTriangle, IconPlayerSkipForward } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { ScheduleRun } from "@/contracts/automation/schedules";

/** Status of a run. */
export function RunStatus({ status }: Pick<ScheduleRun, "status">) {
  if (status === "started") {
    return (
      <StatusBadge tone="allow" plain>
        Started
      </StatusBadge>
    );
  }
  if (status === "failed") {
    return (
      <StatusBadge tone="deny" icon={IconAlertTriangle} plain>
        Failed
      </StatusBadge>
    );
  }
  return (
    <StatusBadge tone="unavailable" icon={IconPlayerSkipForward} plain>
      Skipped
    </StatusBadge>
  );
}
