import { IconPin, IconPinnedOff } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { pinStates } from "@/contracts/tools/tool-changes";

/** State of a tool's pin. A pinned tool, the usual case, gets no badge. */
export function PinBadge({ pin, isRejected }: { pin: (typeof pinStates)[number]; isRejected: boolean }) {
  if (isRejected) return <StatusBadge tone="deny">Rejected</StatusBadge>;
  switch (pin) {
    case "pinned":
      return null;
    case "changed":
      return (
        <StatusBadge tone="ask" icon={IconPinnedOff}>
          Changed
        </StatusBadge>
      );
    case "new":
      return (
        <StatusBadge tone="ask" icon={IconPin}>
          New
        </StatusBadge>
      );
    case "gone":
      return <StatusBadge tone="unavailable">Gone</StatusBadge>;
  }
}
