"use client";

import { ActionIcon, Menu, Switch } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots, IconGripVertical, IconPencil, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { DisabledReason } from "../forms/disabled-reason";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";
import classes from "./ordered-list.module.css";
import { RowLink } from "./row-link";
import rows from "./rows.module.css";

/** Position of a row in its list, with the functions that move the row. */
export type RowOrder = {
  /** Position from 0. */
  place: number;
  count: number;
  isDragged: boolean;
  /** Another row is being dragged over this one. */
  isTarget: boolean;
  onDrag: (isHeld: boolean) => void;
  onDragOver: () => void;
  onDrop: () => void;
  onMove: (to: number) => void;
};

type OrderedRowProps = {
  order: RowOrder;
  /** Name of the row in the labels of its buttons. */
  name: string;
  /** Address of the row's details. */
  href: string;
  /** Why the person may not change the row; null when they may. */
  refusal: string | null;
  enabled: boolean;
  /** The row has no effect, whether switched on or off. */
  isOver?: boolean;
  /** Content before the title. */
  lead: ReactNode;
  /** Title of the row, which opens its details. */
  title: ReactNode;
  /** Small text below the title. */
  notes: ReactNode;
  /** Badge below the notes. */
  badge?: ReactNode;
  /** Words for the first and the last position: "Move to top", "Move to bottom". */
  ends: { first: string; last: string };
  /** Further entries of the row's menu. */
  menu?: ReactNode;
  onOpen: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

/** One row of an `OrderedList`: position, title, switch, and controls to move it. */
export function OrderedRow(props: OrderedRowProps) {
  const { order, name, href, refusal, enabled, isOver = false, lead, title, notes, badge, ends, menu, onOpen, onSwitch, onRemove } = props;
  const { place, count, isDragged, isTarget, onDrag, onDragOver, onDrop, onMove } = order;
  const isLocked = refusal !== null;
  const isFirst = place === 0;
  const isLast = place === count - 1;
  return (
    <li
      className={`${rows.row} ${classes.row}`}
      data-off={!enabled || isOver || undefined}
      data-dragged={isDragged || undefined}
      data-target={isTarget || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        onDragOver();
      }}
      onDrop={onDrop}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is for the mouse; the arrows and the menu do the same by keyboard */}
      <span
        className={classes.place}
        draggable={!isLocked}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = "move";
          const row = event.currentTarget.closest("li");
          if (row) event.dataTransfer.setDragImage(row, 12, 20);
          onDrag(true);
        }}
        onDragEnd={() => onDrag(false)}
        title={isLocked ? undefined : "Drag to another place"}
      >
        <IconGripVertical size={14} aria-hidden className={classes.grip} />
        {place + 1}
      </span>
      <span className={classes.lead}>
        <RevealedText text={lead} />
      </span>
      <span className={classes.words}>
        <RowLink className={`${classes.name} ${shared.medium}`} href={href} onOpen={onOpen}>
          <RevealedText text={title} />
        </RowLink>
        <span className={classes.notes}>{notes}</span>
        {badge}
      </span>
      <span className={classes.controls}>
        <span className={classes.arrows}>
          <ActionIcon aria-label={`Move ${name} up`} size="sm" disabled={isLocked || isFirst} onClick={() => onMove(place - 1)}>
            <IconArrowUp size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={`Move ${name} down`} size="sm" disabled={isLocked || isLast} onClick={() => onMove(place + 1)}>
            <IconArrowDown size={15} aria-hidden />
          </ActionIcon>
        </span>
        <DisabledReason reason={refusal}>
          <Switch
            aria-label={`${name} is on`}
            checked={enabled}
            disabled={isLocked}
            onChange={(event) => onSwitch(event.currentTarget.checked)}
          />
        </DisabledReason>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`More for ${name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onOpen}>
              {isLocked ? "View" : "Edit"}
            </Menu.Item>
            {menu}
            <Menu.Item leftSection={<IconArrowUp size={16} aria-hidden />} disabled={isLocked || isFirst} onClick={() => onMove(0)}>
              {ends.first}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={16} aria-hidden />}
              disabled={isLocked || isLast}
              onClick={() => onMove(count - 1)}
            >
              {ends.last}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} color="red" disabled={isLocked} onClick={onRemove}>
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </span>
    </li>
  );
}
