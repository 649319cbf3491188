"use client";

import type { MouseEvent, ReactNode } from "react";
import shared from "../shared.module.css";
import classes from "./list-table.module.css";
import { onPlainClick } from "./plain-click";

export type ListColumn<Row> = {
  heading: string;
  cell: (row: Row) => ReactNode;
  /** CSS width; columns without a width share the rest. */
  width?: string;
  /** Hidden in a narrow window, because the row's drawer shows the value too. */
  wideOnly?: boolean;
};

export type ListTableProps<Row> = {
  /** Name of the table for screen readers. */
  label: string;
  /** Columns; the first one contains the row's link. */
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  /** Address of the row's details, so that a browser tab can open them. */
  hrefOf: (row: Row) => string;
  onOpen: (row: Row) => void;
};

const pressable = "a, button, input, label, select";

/** Dense rows that open their details: by mouse anywhere on the row, by keyboard on its link. */
export function ListTable<Row extends { id: string }>({ label, columns, rows, hrefOf, onOpen }: ListTableProps<Row>) {
  const openFromRow = (event: MouseEvent, row: Row) => {
    const isSelecting = (window.getSelection()?.toString() ?? "") !== "";
    const pressed = event.target instanceof Element ? event.target.closest(pressable) : null;
    // `closest` may find the focusable page around the table, so only an element inside the row keeps its own click.
    if (isSelecting || (pressed && event.currentTarget.contains(pressed))) return;
    onOpen(row);
  };
  return (
    <div className={`${classes.frame} ${shared.surface}`}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ heading, width, wideOnly }) => (
              <th key={heading} scope="col" style={{ width }} className={wideOnly ? classes.wide : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} onClick={(event) => openFromRow(event, row)}>
              {columns.map(({ heading, cell, wideOnly }, place) => (
                <td key={heading} className={wideOnly ? classes.wide : undefined}>
                  {place === 0 ? (
                    <a href={hrefOf(row)} className={classes.link} data-row onClick={onPlainClick(() => onOpen(row))}>
                      {cell(row)}
                    </a>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
