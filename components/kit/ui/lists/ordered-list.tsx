"use client";

import { Box, Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";
import { moveItem } from "./move-item";
import classes from "./ordered-list.module.css";
import type { RowOrder } from "./ordered-row";
import rows from "./rows.module.css";

type OrderedListProps<Item> = {
  items: readonly Item[];
  /** Name of the list for screen readers. */
  label: string;
  /** Width of the `lead` of each row. */
  leadWidth: string;
  /** The whole list has no effect at present. */
  isOff?: boolean;
  /** Called with the list in its new order. */
  onOrder: (moved: readonly Item[]) => void;
  /** Renders an item as an `OrderedRow`. */
  row: (item: Item, order: RowOrder) => ReactNode;
  /** An `OrderedRest`. */
  children?: ReactNode;
};

/** Rows drawn at a time, because handles and menus are heavy: ten thousand rows block a browser for seconds. */
const rowsAtOnce = 200;

/** A list whose order matters. Each row moves by its handle, its arrows and its menu. */
export function OrderedList<Item extends { id: string }>(props: OrderedListProps<Item>) {
  const { items, label, leadWidth, isOff = false, onOrder, row, children } = props;
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [shown, setShown] = useState(rowsAtOnce);
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
      {items.slice(0, shown).map((item, place) => row(item, orderOf(item.id, place)))}
      {items.length > shown ? (
        <li className={classes.more}>
          <Button variant="subtle" onClick={() => setShown(shown + rowsAtOnce)}>
            Show {Math.min(rowsAtOnce, items.length - shown).toLocaleString("en")} more of {items.length.toLocaleString("en")}
          </Button>
        </li>
      ) : null}
      {children}
    </Box>
  );
}

/** Last line of the list: what applies to everything that is not listed. */
export function OrderedRest({ lead, name, notes }: { lead: ReactNode; name: string; notes: ReactNode }) {
  return (
    <li className={`${rows.row} ${classes.rest}`}>
      <span className={classes.place} aria-hidden />
      <span className={classes.lead}>
        <RevealedText text={lead} />
      </span>
      <span className={classes.words}>
        <span className={`${classes.name} ${shared.medium}`}>
          <RevealedText text={name} />
        </span>
        <span className={classes.notes}>{notes}</span>
      </span>
    </li>
  );
}
