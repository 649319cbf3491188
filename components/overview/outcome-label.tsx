import { IconX } from "@tabler/icons-react";
import { StatusBadge } from "@/components/ui/status-badge";
import type { OutcomeGroup } from "@/contracts/call-outcomes";
import { outcomeWords } from "./outcome-series";

const looks = {
  succeeded: { tone: "allow", icon: undefined },
  failed: { tone: "deny", icon: IconX },
  denied: { tone: "deny", icon: undefined },
  cancelled: { tone: "unavailable", icon: undefined },
  open: { tone: "running", icon: undefined },
} as const;

/** An outcome as an icon and a word. */
export function OutcomeLabel({ outcome }: { outcome: OutcomeGroup }) {
  const { tone, icon } = looks[outcome];
  return (
    <StatusBadge tone={tone} icon={icon} plain>
      {outcomeWords[outcome].word}
    </StatusBadge>
  );
}
