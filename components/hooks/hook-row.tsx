"use client";

import { ActionIcon, Menu, Switch } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots, IconGripVertical, IconListSearch, IconPencil, IconTrash } from "@tabler/icons-react";
import type { MouseEvent } from "react";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { StatusBadge } from "@/components/ui/status-badge";
import type { Hook } from "@/contracts/hooks";
import { hookSentence } from "./hook-sentence";
import { actionWords, eventWords } from "./hook-words";
import classes from "./hooks.module.css";

type HookRowProps = {
  hook: Hook;
  agentName: string | null;
  /** From 0. */
  place: number;
  count: number;
  refusal: string | null;
  isDragged: boolean;
  /** Another hook is held above it. */
  isTarget: boolean;
  onDrag: (id: string | null) => void;
  onDragOver: (id: string) => void;
  onDrop: () => void;
  onMove: (to: number) => void;
  onOpen: () => void;
  onShowRuns: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

/** One hook: its place, when it runs, what it does and its switch; by its handle, its arrows and its menu it moves. */
export function HookRow(props: HookRowProps) {
  const { hook, agentName, place, count, refusal, isDragged, isTarget } = props;
  const { onDrag, onDragOver, onDrop, onMove, onOpen, onShowRuns, onSwitch, onRemove } = props;
  const openHere = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <li
      className={classes.row}
      data-off={!hook.enabled || undefined}
      data-dragged={isDragged || undefined}
      data-target={isTarget || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        onDragOver(hook.id);
      }}
      onDrop={onDrop}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is for the mouse; the arrows do the same by keyboard */}
      <span
        className={classes.place}
        draggable={refusal === null}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = "move";
          onDrag(hook.id);
        }}
        onDragEnd={() => onDrag(null)}
        title={refusal === null ? "Drag to another place" : undefined}
      >
        <IconGripVertical size={14} aria-hidden className={classes.grip} />
        {place + 1}
      </span>
      <span className={classes.event}>{eventWords[hook.event].label}</span>
      <span className={classes.words}>
        <a className={classes.name} href={`/hooks?hook=${hook.id}`} data-row onClick={openHere}>
          {hook.name}
        </a>
        <span className={classes.told}>
          {actionWords[hook.action.type].label}: {hookSentence(hook, agentName)}
        </span>
        {hook.availability.status === "unavailable" ? (
          <StatusBadge tone="unavailable" plain>
            {hook.availability.reason}
          </StatusBadge>
        ) : null}
      </span>
      <span className={classes.controls}>
        <span className={classes.arrows}>
          <ActionIcon
            aria-label={`Move ${hook.name} up`}
            size="sm"
            disabled={refusal !== null || place === 0}
            onClick={() => onMove(place - 1)}
          >
            <IconArrowUp size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            aria-label={`Move ${hook.name} down`}
            size="sm"
            disabled={refusal !== null || place === count - 1}
            onClick={() => onMove(place + 1)}
          >
            <IconArrowDown size={15} aria-hidden />
          </ActionIcon>
        </span>
        <DisabledReason reason={refusal}>
          <Switch
            aria-label={`${hook.name} is on`}
            checked={hook.enabled}
            disabled={refusal !== null}
            onChange={(event) => onSwitch(event.currentTarget.checked)}
          />
        </DisabledReason>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`More for ${hook.name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onOpen}>
              {refusal === null ? "Edit" : "Look at"}
            </Menu.Item>
            <Menu.Item leftSection={<IconListSearch size={16} aria-hidden />} onClick={onShowRuns}>
              Its runs
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} color="red" disabled={refusal !== null} onClick={onRemove}>
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </span>
    </li>
  );
}
