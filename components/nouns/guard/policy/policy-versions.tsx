"use client";

import { Stack } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import { VersionList } from "@/components/kit/ui/lists/version-list";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { Busy } from "@/components/kit/ui/states/busy";
import type { GuardVersion } from "@/contracts/guard/guard";
import { guardQueries } from "../queries";
import { useRestoreVersion } from "../use-change-guard";
import { PolicyDiffList } from "./policy-diff-list";
import { FlippedCalls, SimulationSummary } from "./simulation-summary";

/** All versions of the policy, each with a button to restore it. */
export function PolicyVersions({ current }: { current: number }) {
  const refusal = useRefusal("guard:write");
  const restore = useRestoreVersion();
  const list = useInfiniteQuery(guardQueries.versions());
  const askFirst = (version: GuardVersion) =>
    confirmAction({
      title: `Restore version ${version.version}?`,
      children: <RestoreLook version={version.version} />,
      action: "Restore",
      onConfirm: () => restore.mutateAsync({ version: version.version, policyVersion: current }),
    });

  return (
    <PagedList query={list} items="versions" skeletons={{ rows: 6, height: 3.25 }} empty={null}>
      {(versions) => (
        <VersionList
          label="Versions of the policy, newest first"
          versions={versions}
          current={current}
          refusal={refusal}
          onRestore={askFirst}
          changesOf={({ version }) => <VersionDiff version={version} />}
          noteOf={rulesOf}
        />
      )}
    </PagedList>
  );
}

/** Changes that a version made. */
function VersionDiff({ version }: { version: number }) {
  const { data, error } = useQuery(guardQueries.version(version, "previous"));
  if (error) return <p className={shared.small}>{toErrorSentence(error)}</p>;
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
