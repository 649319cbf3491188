"use client";

import { Button, Switch } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import shared from "../shared.module.css";
import { DisabledReason } from "./disabled-reason";

type SwitchDetailsProps = {
  name: string;
  enabled: boolean;
  /** Word beside the switch of a row that is off. */
  offWord?: string;
  /** Why the person may not change the row; null when they may. */
  refusal: string | null;
  /** Buttons before Edit and Remove. */
  actions: ReactNode;
  onSwitch: (enabled: boolean) => void;
  onEdit: () => void;
  onRemove: () => void;
  children: ReactNode;
};

/** Details of a row that can be switched off: its switch and buttons above what else there is to see. */
export function SwitchDetails(props: SwitchDetailsProps) {
  const { name, enabled, offWord = "Off", refusal, actions, onSwitch, onEdit, onRemove, children } = props;
  const isRefused = refusal !== null;
  return (
    <div className={shared.story}>
      <DisabledReason reason={refusal}>
        <Switch
          label={enabled ? "On" : offWord}
          aria-label={`${name} is on`}
          checked={enabled}
          disabled={isRefused}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
        />
      </DisabledReason>
      <div className={shared.bar}>
        {actions}
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} disabled={isRefused} onClick={onEdit}>
          Edit
        </Button>
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} disabled={isRefused} onClick={onRemove}>
          Remove
        </Button>
      </div>
      {children}
    </div>
  );
}
