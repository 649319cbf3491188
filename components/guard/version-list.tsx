"use client";

import { Button, Stack, VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toErrorSentence } from "@/components/api/error-sentence";
import { useRefusal } from "@/components/session/me";
import { Busy } from "@/components/ui/busy";
import { confirmAction } from "@/components/ui/confirm-action";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { ErrorState } from "@/components/ui/error-state";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import rows from "@/components/ui/rows.module.css";
import classes from "@/components/ui/version-list.module.css";
import type { GuardVersion } from "@/contracts/guard";
import { PolicyDiffList } from "./policy-diff-list";
import { guardQueries } from "./queries";
import { FlippedCalls, SimulationSummary } from "./simulation-summary";
import { useRestoreVersion } from "./use-change-guard";

/** All versions of the policy, each with a button to restore it. */
export function VersionList({ current }: { current: number }) {
  const refusal = useRefusal("guard:write");
  const restore = useRestoreVersion();
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(guardQueries.versions());
  const versions = data?.pages.flatMap(({ items }) => items);
  const [open, setOpen] = useState<number | null>(null);
  const askFirst = (version: GuardVersion) =>
    confirmAction({
      title: `Restore version ${version.version}?`,
      children: <RestoreLook version={version.version} />,
      action: "Restore",
      onConfirm: () => restore.mutateAsync({ version: version.version, policyVersion: current }),
    });

  if (!versions && error) return <ErrorState error={error} what="the versions" retry={refetch} retrying={isRefetching} />;
  if (!versions) return <RowSkeletons rows={6} height={3.25} what="the versions" />;
  return (
    <>
      <ol className={rows.rows} aria-label="Versions of the policy, newest first">
        {versions.map((version) => (
          <li
            key={version.version}
            className={`${rows.row} ${classes.version}`}
            data-unfolded={open === version.version || undefined}
            aria-current={version.version === current || undefined}
          >
            <span className={classes.number}>{version.version}</span>
            <span className={classes.words}>
              <span className={classes.summary}>{version.summary}</span>
              <span className={classes.who}>
                {version.actor.name} <RelativeTime at={version.createdAt} /> · {rulesOf(version)}
              </span>
              <Button
                className={classes.unfold}
                variant="subtle"
                color="gray"
                size="compact-xs"
                rightSection={
                  open === version.version ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />
                }
                aria-expanded={open === version.version}
                onClick={() => setOpen(open === version.version ? null : version.version)}
              >
                Changes<VisuallyHidden component="span"> in version {version.version}</VisuallyHidden>
              </Button>
              {open === version.version ? <VersionDiff version={version.version} /> : null}
            </span>
            {version.version === current ? (
              <span className={classes.who}>In use</span>
            ) : (
              <DisabledReason reason={refusal}>
                <Button variant="default" size="compact-sm" disabled={refusal !== null} onClick={() => askFirst(version)}>
                  Restore<VisuallyHidden component="span"> version {version.version}</VisuallyHidden>
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

/** Changes that a version made. */
function VersionDiff({ version }: { version: number }) {
  const { data, error } = useQuery(guardQueries.version(version, "previous"));
  if (error) return <p className={classes.who}>{toErrorSentence(error)}</p>;
  return data ? <PolicyDiffList diff={data.diff} /> : <Busy what="Loading the changes" />;
}

/** Changes that restoring a version would make, and their effect. */
function RestoreLook({ version }: { version: number }) {
  const { data: found } = useQuery(guardQueries.version(version, "current"));
  const { data: sum } = useQuery(guardQueries.simulation({ kind: "restore", version }));
  return (
    <Stack gap="sm">
      <div>
        The rules and settings become those of version {version}, as a new version. Today's stay in the list, and a policy file stays as it
        is.
      </div>
      {found ? <PolicyDiffList diff={found.diff} /> : <Busy what="Loading the changes" />}
      {sum ? (
        <>
          <SimulationSummary sum={sum} />
          <FlippedCalls sum={sum} />
        </>
      ) : null}
    </Stack>
  );
}

function rulesOf({ rules }: GuardVersion): string {
  return rules === 1 ? "1 rule" : `${rules} rules`;
}
