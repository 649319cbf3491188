"use client";

import { ListTable, type ListTableProps } from "./list-table";
import { PagedList, type PagedListProps } from "./paged-list";

type PagedTableProps<Row> = Omit<ListTableProps<Row>, "rows"> & Omit<PagedListProps<Row>, "skeletons" | "children">;

/** A table whose next page is read when its end comes into view. */
export function PagedTable<Row extends { id: string }>({ query, items, what, empty, ...table }: PagedTableProps<Row>) {
  return (
    <PagedList query={query} items={items} {...(what ? { what } : {})} skeletons={{ rows: 6, height: 2.25 }} empty={empty}>
      {(rows) => <ListTable {...table} rows={rows} />}
    </PagedList>
  );
}
