"use client";

import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "../states/loaded";
import { LoadMore } from "./load-more";

export type PagedListProps<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<{ items: Row[] }>>;
  /** Name of the content: "the turns". */
  what: string;
  /** The rows on the button for more: "turns". */
  more: string;
  /** Number of grey rows while the first page loads, and their height in rem. */
  skeletonRows: number;
  height: number;
  /** Replaces the list while there are no rows. */
  empty: ReactNode;
  children: (items: Row[]) => ReactNode;
};

/** A list whose next page is read when its end comes into view. */
export function PagedList<Row>({ query, what, more, skeletonRows, height, empty, children }: PagedListProps<Row>) {
  return (
    <Loaded query={query} what={what} rows={skeletonRows} height={height}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) return empty;
        return (
          <>
            {children(items)}
            <LoadMore query={query} what={more} />
          </>
        );
      }}
    </Loaded>
  );
}
