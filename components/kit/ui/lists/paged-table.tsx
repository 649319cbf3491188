"use client";

import { ListTable, type ListTableProps } from "./list-table";
import { PagedList, type PagedListProps } from "./paged-list";

type PagedTableProps<Row> = Omit<ListTableProps<Row>, "rows"> & Omit<PagedListProps<Row>, "height" | "children">;

/** A table whose next page is read when its end comes into view. */
export function PagedTable<Row extends { id: string }>({ query, items, what, skeletonRows, empty, ...table }: PagedTableProps<Row>) {
  return (
    <PagedList {...{ query, items, skeletonRows, empty }} {...(what ? { what } : {})} height={2.25}>
      {(rows) => <ListTable {...table} rows={rows} />}
    </PagedList>
  );
}
