"use client";

import { Box } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { moveItem } from "./move-item";
import classes from "./ordered-list.module.css";
import type { RowOrder } from "./ordered-row";
import rows from "./rows.module.css";

type OrderedListProps<Item> = {
  items: readonly Item[];
  /** What the list is, for those who do not see it. */
  label: string;
  /** Width of what stands before the words of each row. */
  leadWidth: string;
  /** None of it counts now. */
  isOff?: boolean;
  /** The whole list in another order. */
  onOrder: (moved: readonly Item[]) => void;
  /** An `OrderedRow`. */
  row: (item: Item, order: RowOrder) => ReactNode;
  /** An `OrderedRest`. */
  children?: ReactNode;
};

/** Things whose order counts: each moves by its handle, by its arrows and by its menu. */
export function OrderedList<Item extends { id: string }>(props: OrderedListProps<Item>) {
  const { items, label, leadWidth, isOff = false, onOrder, row, children } = props;
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const move = (id: string, to: number) => {
    const moved = moveItem(items, id, to);
    if (moved !== items) onOrder(moved);
  };
  const orderOf = (id: string, place: number): RowOrder => ({
    place,
    count: items.length,
    isDragged: dragged === id,
    isTarget: over === id && dragged !== null && dragged !== id,
    onDrag: (isHeld) => {
      setDragged(isHeld ? id : null);
      if (!isHeld) setOver(null);
    },
    onDragOver: () => setOver(id),
    onDrop: () => dragged !== null && move(dragged, place),
    onMove: (to) => move(id, to),
  });
  return (
    <Box
      component="ol"
      className={`${rows.rows} ${classes.list}`}
      __vars={{ "--lead-width": leadWidth }}
      aria-label={label}
      data-off={isOff || undefined}
    >
      {items.map((item, place) => row(item, orderOf(item.id, place)))}
      {children}
    </Box>
  );
}

/** What happens with everything that is not in the list, below it. */
export function OrderedRest({ lead, name, notes }: { lead: ReactNode; name: string; notes: ReactNode }) {
  return (
    <li className={`${rows.row} ${classes.rest}`}>
      <span className={classes.place} aria-hidden />
      <span className={classes.lead}>{lead}</span>
      <span className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className={classes.notes}>{notes}</span>
      </span>
    </li>
  );
}
