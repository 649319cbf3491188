"use client";

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRefusal } from "@/components/shell/me";
import { confirmAction } from "@/components/ui/confirm-action";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { ErrorState } from "@/components/ui/error-state";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import type { GuardVersion } from "@/contracts/guard";
import { guardQueries } from "./queries";
import { useRestoreVersion } from "./use-change-guard";
import classes from "./version-list.module.css";

/** Every version of the policy, and the way back to each. */
export function VersionList({ current }: { current: number }) {
  const refusal = useRefusal("guard:write");
  const restore = useRestoreVersion();
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(guardQueries.versions());
  const versions = data?.pages.flatMap(({ items }) => items);
  const askFirst = (version: GuardVersion) =>
    confirmAction({
      title: `Restore version ${version.version}?`,
      children: `The rules and settings become those of version ${version.version} (${rulesOf(version)}), as a new version. Today's stay in the list.`,
      action: "Restore",
      onConfirm: () => restore.mutateAsync(version.version),
    });

  if (!versions && error) return <ErrorState error={error} what="the versions" retry={refetch} retrying={isRefetching} />;
  if (!versions) return <RowSkeletons rows={6} height={3.25} what="the versions" />;
  return (
    <>
      <ol className={classes.list} aria-label="Versions of the policy, newest first">
        {versions.map((version) => (
          <li key={version.version} className={classes.version} aria-current={version.version === current || undefined}>
            <span className={classes.number}>{version.version}</span>
            <span className={classes.words}>
              <span className={classes.summary}>{version.summary}</span>
              <span className={classes.who}>
                {version.actor.name} <RelativeTime at={version.createdAt} /> · {rulesOf(version)}
              </span>
            </span>
            {version.version === current ? (
              <span className={classes.who}>In use</span>
            ) : (
              <DisabledReason reason={refusal}>
                <Button variant="default" size="compact-sm" disabled={refusal !== null} onClick={() => askFirst(version)}>
                  Restore<span className={classes.hidden}> version {version.version}</span>
                </Button>
              </DisabledReason>
            )}
          </li>
        ))}
      </ol>
      <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what="versions" />
    </>
  );
}

function rulesOf({ rules }: GuardVersion): string {
  return rules === 1 ? "1 rule" : `${rules} rules`;
}
