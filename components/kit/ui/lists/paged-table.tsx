"use client";

import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "../states/loaded";
import { ListTable, type ListTableProps } from "./list-table";
import { LoadMore } from "./load-more";

type PagedTableProps<Row> = Omit<ListTableProps<Row>, "rows"> & {
  query: UseInfiniteQueryResult<InfiniteData<{ items: Row[] }>>;
  /** Name of the content: "the turns". */
  what: string;
  /** The rows on the button for more: "turns". */
  more: string;
  /** Number of grey rows while the first page loads. */
  skeletonRows: number;
  /** Replaces the table while there are no rows. */
  empty: ReactNode;
};

/** A table whose next page is read when its end comes into view. */
export function PagedTable<Row>({ query, what, more, skeletonRows, empty, ...table }: PagedTableProps<Row>) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Loaded query={query} what={what} rows={skeletonRows} height={2.25}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) return empty;
        return (
          <>
            <ListTable {...table} rows={items} />
            <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what={more} />
          </>
        );
      }}
    </Loaded>
  );
}
