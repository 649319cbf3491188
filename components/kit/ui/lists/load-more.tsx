"use client";

import { Button } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import classes from "./load-more.module.css";

/** The parts of an infinite query that read its next page. */
export type NextPage = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

type LoadMoreProps = { query: NextPage; what: string };

/** Fetches the next page when the end of the list comes into view; the button serves people who do not scroll. */
export function LoadMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, what }: LoadMoreProps) {
  const { ref, entry } = useIntersection({ rootMargin: "400px" });
  const isNear = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (isNear && hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [isNear, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={ref} className={classes.more}>
      <Button variant="subtle" color="gray" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        More {what}
      </Button>
    </div>
  );
}
