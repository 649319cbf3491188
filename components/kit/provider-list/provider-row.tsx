import { ActionIcon, Button, Switch } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { LookBadge } from "@/components/kit/ui/badges/status-badge";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./provider-row.module.css";

const looks = {
  ready: { tone: "allow", word: "Ready" },
  off: { tone: "unavailable", word: "Off" },
  needs_key: { tone: "unavailable", word: "Needs a key" },
  needs_address: { tone: "unavailable", word: "Needs an address" },
  key_unreadable: { tone: "deny", word: "Key cannot be opened" },
} as const;

/** Place, switch and form of a provider in its list. */
export type ProviderRowControls = {
  place: number;
  count: number;
  /** Reason against changes of the providers; null when the person may change them. */
  refusal: string | null;
  isLocked: boolean;
  onMove: (to: number) => void;
  onSwitch: (isOn: boolean) => void;
  onEdit: () => void;
};

type ProviderRowProps = ProviderRowControls & {
  title: string;
  enabled: boolean;
  status: keyof typeof looks;
  /** Controls between the switch and the button that opens the form. */
  controls?: ReactNode;
  /** Lines below the title. */
  children: ReactNode;
};

/** One provider of an ordered list: its state, its place, its switch and the button that opens its form. */
export function ProviderRow({
  title,
  enabled,
  status,
  place,
  count,
  refusal,
  isLocked,
  onMove,
  onSwitch,
  onEdit,
  controls,
  children,
}: ProviderRowProps) {
  return (
    <li className={`${rows.row} ${classes.row}`} data-off={!enabled || undefined}>
      <span className={classes.place}>{place + 1}</span>
      <div className={shared.shrinks}>
        <p className={classes.name}>
          <RevealedText text={title} /> <LookBadge look={looks[status]} plain />
        </p>
        {children}
      </div>
      <div className={`${classes.controls} ${shared.bar}`}>
        <ActionIcon aria-label={`Move ${title} up`} size="sm" disabled={isLocked || place === 0} onClick={() => onMove(place - 1)}>
          <IconArrowUp size={15} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label={`Move ${title} down`}
          size="sm"
          disabled={isLocked || place === count - 1}
          onClick={() => onMove(place + 1)}
        >
          <IconArrowDown size={15} aria-hidden />
        </ActionIcon>
        <DisabledReason reason={refusal}>
          <Switch
            aria-label={`${title} is on`}
            checked={enabled}
            disabled={isLocked}
            onChange={(event) => onSwitch(event.currentTarget.checked)}
          />
        </DisabledReason>
        {controls}
        <DisabledReason reason={refusal}>
          <Button variant="default" size="compact-sm" aria-label={`Set up ${title}`} disabled={isLocked} onClick={onEdit}>
            Set up
          </Button>
        </DisabledReason>
      </div>
    </li>
  );
}

/** A line below the title of a provider. */
export function ProviderNote({ children }: { children: ReactNode }) {
  return <p className={shared.subline}>{children}</p>;
}

/** The line that says how a test of the provider ended; empty before the first test. */
export function ProviderOutcome({ failed, children }: { failed: boolean; children: ReactNode }) {
  return (
    <p className={`${classes.outcome} ${shared.subline}`} role="status" data-failed={failed || undefined}>
      {children}
    </p>
  );
}
