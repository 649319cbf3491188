"use client";

import { ActionIcon, Menu, Switch } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots, IconGripVertical, IconPencil, IconTrash } from "@tabler/icons-react";
import type { MouseEvent } from "react";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { useNow } from "@/components/ui/now";
import { RelativeTime } from "@/components/ui/relative-time";
import { StatusBadge } from "@/components/ui/status-badge";
import { VerdictBadge } from "@/components/ui/verdict-badge";
import type { GuardRule } from "@/contracts/guard";
import type { Tool } from "@/contracts/tools";
import classes from "./rule-list.module.css";
import { RuleSentence } from "./rule-sentence";

type RuleRowProps = {
  rule: GuardRule;
  /** From 0. */
  place: number;
  count: number;
  tools: readonly Tool[];
  refusal: string | null;
  isDragged: boolean;
  /** Another rule is held above it. */
  isTarget: boolean;
  onDrag: (id: string | null) => void;
  onDragOver: (id: string) => void;
  onDrop: () => void;
  onMove: (to: number) => void;
  onOpen: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

/** One rule: its place, verdict, sentence and switch; by its handle, its arrows and its menu it moves. */
export function RuleRow(props: RuleRowProps) {
  const { rule, place, count, tools, refusal, isDragged, isTarget, onDrag, onDragOver, onDrop, onMove, onOpen, onSwitch, onRemove } = props;
  const isExpired = useNow(10) >= (rule.expiresAt ? Date.parse(rule.expiresAt) : Number.POSITIVE_INFINITY);
  const openHere = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <li
      className={classes.row}
      data-off={!rule.enabled || isExpired || undefined}
      data-dragged={isDragged || undefined}
      data-target={isTarget || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        onDragOver(rule.id);
      }}
      onDrop={onDrop}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is for the mouse; the arrows and the menu do the same by keyboard */}
      <span
        className={classes.place}
        draggable={refusal === null}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = "move";
          const row = event.currentTarget.closest("li");
          if (row) event.dataTransfer.setDragImage(row, 12, 20);
          onDrag(rule.id);
        }}
        onDragEnd={() => onDrag(null)}
        title={refusal === null ? "Drag to another place" : undefined}
      >
        <IconGripVertical size={14} aria-hidden className={classes.grip} />
        {place + 1}
      </span>
      <span className={classes.verdict}>
        <VerdictBadge verdict={rule.verdict} />
      </span>
      <span className={classes.words}>
        <a className={classes.sentence} href={`/guard?rule=${rule.id}`} data-row onClick={openHere}>
          <RuleSentence rule={rule} tools={tools} />
        </a>
        <span className={classes.name}>
          {rule.source === "file" ? <span className={classes.source}>Policy file · </span> : null}
          {rule.name}
          {rule.reason ? ` · “${rule.reason}”` : ""}
          {rule.expiresAt && !isExpired ? (
            <>
              {" "}
              · ends <RelativeTime at={rule.expiresAt} />
            </>
          ) : null}
        </span>
        {isExpired ? (
          <StatusBadge tone="unavailable" plain>
            Expired, no longer tried
          </StatusBadge>
        ) : null}
      </span>
      <span className={classes.controls}>
        <span className={classes.arrows}>
          <ActionIcon
            aria-label={`Move ${rule.name} up`}
            size="sm"
            disabled={refusal !== null || place === 0}
            onClick={() => onMove(place - 1)}
          >
            <IconArrowUp size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            aria-label={`Move ${rule.name} down`}
            size="sm"
            disabled={refusal !== null || place === count - 1}
            onClick={() => onMove(place + 1)}
          >
            <IconArrowDown size={15} aria-hidden />
          </ActionIcon>
        </span>
        <DisabledReason reason={refusal}>
          <Switch
            aria-label={`${rule.name} is on`}
            checked={rule.enabled}
            disabled={refusal !== null}
            onChange={(event) => onSwitch(event.currentTarget.checked)}
          />
        </DisabledReason>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`More for ${rule.name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onOpen}>
              {refusal === null ? "Edit" : "Look at"}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowUp size={16} aria-hidden />}
              disabled={refusal !== null || place === 0}
              onClick={() => onMove(0)}
            >
              Try first
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={16} aria-hidden />}
              disabled={refusal !== null || place === count - 1}
              onClick={() => onMove(count - 1)}
            >
              Try last
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
