"use client";

import type { MouseEvent, ReactNode } from "react";
import classes from "./list-table.module.css";
import { opensHere } from "./opens-here";

export type ListColumn<Row> = {
  heading: string;
  cell: (row: Row) => ReactNode;
  /** CSS width; columns without one share what is left. */
  width?: string;
  /** Left out where the window is narrow; the drawer of the row has it. */
  wideOnly?: boolean;
};

type ListTableProps<Row> = {
  /** What the rows are, for those who do not see the table. */
  label: string;
  /** The first one is the link of the row. */
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Address that shows the row's story, so that it can be opened in a tab of its own. */
  hrefOf: (row: Row) => string;
  onOpen: (row: Row) => void;
};

const pressable = "a, button, input, [tabindex]";

/** Dense rows that each open their story, by mouse anywhere on the row and by keyboard on its link. */
export function ListTable<Row>({ label, columns, rows, keyOf, hrefOf, onOpen }: ListTableProps<Row>) {
  const openFromRow = (event: MouseEvent, row: Row) => {
    const isSelecting = (window.getSelection()?.toString() ?? "") !== "";
    if (isSelecting || (event.target instanceof Element && event.target.closest(pressable))) return;
    onOpen(row);
  };
  return (
    <div className={classes.frame}>
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
            <tr key={keyOf(row)} onClick={(event) => openFromRow(event, row)}>
              {columns.map(({ heading, cell, wideOnly }, place) => (
                <td key={heading} className={wideOnly ? classes.wide : undefined}>
                  {place === 0 ? (
                    <a href={hrefOf(row)} className={classes.link} data-row onClick={opensHere(() => onOpen(row))}>
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
