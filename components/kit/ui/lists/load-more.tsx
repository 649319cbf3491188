"use client";

import { Button } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import classes from "./load-more.module.css";

type LoadMoreProps = { hasMore: boolean; loading: boolean; onMore: () => void; what: string };

/** Fetches the next page when the end of the list comes into view; the button serves people who do not scroll. */
export function LoadMore({ hasMore, loading, onMore, what }: LoadMoreProps) {
  const { ref, entry } = useIntersection({ rootMargin: "400px" });
  const isNear = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (isNear && hasMore && !loading) onMore();
  }, [isNear, hasMore, loading, onMore]);
  if (!hasMore) return null;
  return (
    <div ref={ref} className={classes.more}>
      <Button variant="subtle" color="gray" loading={loading} onClick={onMore}>
        More {what}
      </Button>
    </div>
  );
}
