"use client";

import { Button, Switch } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import type { ResourceRow } from "./define-resource";
import type { ResourcePage } from "./use-resource-page";

type ResourceDetailsProps<Row extends ResourceRow> = {
  page: ResourcePage<Row>;
  row: Row;
  /** Word beside the switch of a row that is off. */
  offWord?: string;
  /** Sentence about what is lost with the row. */
  loss: string;
  /** Buttons before Edit and Remove. */
  actions: ReactNode;
  children: ReactNode;
};

/** Details of a row that can be switched off: its switch and buttons, then its facts. */
export function ResourceDetails<Row extends ResourceRow & { enabled: boolean }>(props: ResourceDetailsProps<Row>) {
  const { page, row, offWord = "Off", loss, actions, children } = props;
  const isRefused = page.refusal !== null;
  return (
    <div className={shared.story}>
      <DisabledReason reason={page.refusal}>
        <Switch
          label={row.enabled ? "On" : offWord}
          aria-label={`${row.name} is on`}
          checked={row.enabled}
          disabled={isRefused}
          onChange={(event) => page.switchEnabled(row, event.currentTarget.checked)}
        />
      </DisabledReason>
      <div className={shared.bar}>
        {actions}
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} disabled={isRefused} onClick={() => page.edit(true)}>
          Edit
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          disabled={isRefused}
          onClick={() => page.confirmRemoval(row, loss, page.close)}
        >
          Remove
        </Button>
      </div>
      {children}
    </div>
  );
}
