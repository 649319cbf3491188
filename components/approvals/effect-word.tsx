import { IconEye, IconFlame, IconPencil } from "@tabler/icons-react";
import { StatusBadge } from "@/components/ui/status-badge";
import type { ToolEffect } from "@/contracts/tools";

const looks = {
  read: { tone: "unavailable", word: "Only reads", icon: IconEye },
  write: { tone: "ask", word: "Writes", icon: IconPencil },
  destroy: { tone: "deny", word: "Can destroy", icon: IconFlame },
} as const;

/** What a tool may do to the world. */
export function EffectWord({ effect }: { effect: ToolEffect }) {
  const { tone, word, icon } = looks[effect];
  return (
    <StatusBadge tone={tone} icon={icon} plain>
      {word}
    </StatusBadge>
  );
}
