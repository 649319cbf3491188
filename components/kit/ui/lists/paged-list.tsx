"use client";

import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "../states/loaded";
import { LoadMore } from "./load-more";

export type PagedListProps<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<{ items: Row[] }>>;
  /** The noun of the rows on the button for more: "turns". */
  items: string;
  /** Name of the content when it is not the items: "the history". */
  what?: string;
  /** Number of grey rows while the first page loads, and their height in rem. */
  skeletons: { rows: number; height: number };
  /** Replaces the list while there are no rows. */
  empty: ReactNode;
  children: (items: Row[]) => ReactNode;
};

/** A list whose next page is read when its end comes into view. */
export function PagedList<Row>({ query, items: noun, what = `the ${noun}`, skeletons, empty, children }: PagedListProps<Row>) {
  return (
    <Loaded query={query} what={what} {...skeletons}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) return empty;
        return (
          <>
            {children(items)}
            <LoadMore query={query} what={noun} />
          </>
        );
      }}
    </Loaded>
  );
}
