import { IconBan, IconCheck, IconCircleDashed, IconHandStop, IconLoader2, type IconProps } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import { RevealedText } from "../text/revealed-text";
import type { Tone } from "../tone";
import classes from "./status-badge.module.css";

const usualIcons: Record<Tone, ComponentType<IconProps>> = {
  allow: IconCheck,
  deny: IconBan,
  ask: IconHandStop,
  running: IconLoader2,
  unavailable: IconCircleDashed,
};

type StatusBadgeProps = {
  tone: Tone;
  /** Word of the status; colour and icon only repeat it. */
  children: ReactNode;
  icon?: ComponentType<IconProps> | undefined;
  /** Omits tint and frame, for a table cell. */
  plain?: boolean;
};

/** A status as icon, word and colour, so that nobody has to distinguish colours. */
export function StatusBadge({ tone, children, icon, plain = false }: StatusBadgeProps) {
  const Icon = icon ?? usualIcons[tone];
  return (
    <span className={plain ? classes.plain : classes.badge} data-tone={tone}>
      <Icon size={14} stroke={2} aria-hidden className={tone === "running" && !icon ? classes.turning : undefined} />
      <RevealedText text={children} />
    </span>
  );
}

/** Tone, word and, where it differs from the tone's usual one, icon of a status. */
export type StatusLook = { tone: Tone; word: string; icon?: ComponentType<IconProps> };

/** A status drawn from the table of its noun. */
export function LookBadge({ look: { tone, word, icon }, plain = false }: { look: StatusLook; plain?: boolean }) {
  return (
    <StatusBadge tone={tone} icon={icon} plain={plain}>
      {word}
    </StatusBadge>
  );
}
