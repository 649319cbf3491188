"use client";

import { useMediaQuery } from "@mantine/hooks";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { useRowWindow } from "@/components/kit/ui/lists/use-row-window";
import type { InboxGroup } from "@/contracts/approvals/approvals";
import { GroupRow } from "./group-row";
import type { InboxLine } from "./inbox-lines";
import classes from "./inbox-list.module.css";
import { InboxRow } from "./inbox-row";
import type { Selection } from "./use-selection";

const rowHeight = 40;
/** Larger rows for fingers. */
const rowHeightOnPhone = 56;
/** Distance from the end, in rows, at which the next page is requested. */
const rowsAhead = 40;

/** Moves the focus between lines, including lines that are not drawn yet. */
export type InboxListHandle = { focusLine: (place: number) => void; placeInFocus: () => number };

type InboxListProps = {
  lines: readonly InboxLine[];
  openId: string | null;
  selection: Selection;
  /** Key of the group that is being loaded for the selection. */
  selectingKey: string | null;
  onOpen: (id: string) => void;
  onToggleGroup: (key: string) => void;
  onSelectGroup: (group: InboxGroup, isSelected: boolean) => void;
  /** Called near the end of the loaded rows. */
  onNearEnd: () => void;
  handle: Ref<InboxListHandle>;
};

/** The lines of the inbox. Draws only lines in view, so that thousands cost no more than thirty. */
export function InboxList(props: InboxListProps) {
  const { lines, openId, selection, selectingKey, onOpen, onToggleGroup, onSelectGroup, onNearEnd, handle } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery("(max-width: 48em)", false) ?? false;
  const height = isPhone ? rowHeightOnPhone : rowHeight;
  const { first, last, showRow } = useRowWindow(frame, lines.length, height);

  useImperativeHandle(handle, () => ({
    focusLine: (place) => {
      showRow(place);
      frame.current?.querySelector<HTMLElement>(`[data-place="${place}"] [data-row]`)?.focus({ preventScroll: true });
    },
    placeInFocus: () => {
      const line = document.activeElement?.closest<HTMLElement>("[data-place]");
      return line && frame.current?.contains(line) ? Number(line.dataset.place) : -1;
    },
  }));

  const size = lines.length;
  useEffect(() => {
    if (last + rowsAhead >= size) onNearEnd();
  }, [last, size, onNearEnd]);

  return (
    <div className={classes.frame} ref={frame}>
      <ul className={classes.list} aria-label="Pending approvals" style={{ height: lines.length * height, paddingTop: first * height }}>
        {lines.slice(first, last).map((line, offset) => {
          const place = first + offset;
          return line.kind === "group" ? (
            <GroupRow
              key={line.key}
              group={line.group}
              place={place}
              isOpen={line.isOpen}
              selectedCount={selection.countOfGroup.get(line.key) ?? 0}
              isSelecting={selectingKey === line.key}
              onToggle={() => onToggleGroup(line.key)}
              onSelect={(isSelected) => onSelectGroup(line.group, isSelected)}
            />
          ) : (
            <InboxRow
              key={line.key}
              row={line.row}
              place={place}
              size={lines.length}
              isOpen={line.row.id === openId}
              isSelected={selection.selected.has(line.row.id)}
              isInGroup={line.isInGroup}
              replyPlace={line.reply?.place ?? null}
              replyCount={line.reply?.count ?? null}
              onOpen={onOpen}
              onSelect={selection.toggle}
            />
          );
        })}
      </ul>
    </div>
  );
}
