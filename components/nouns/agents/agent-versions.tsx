"use client";

import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import { VersionList } from "@/components/kit/ui/lists/version-list";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { Busy } from "@/components/kit/ui/states/busy";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { DiffView } from "@/components/nouns/call-views/lazy-views";
import { type Agent, type AgentVersion, agentEndpoints } from "@/contracts/browser/agents/agents";
import { agentQueries } from "./queries";
import { settingWord } from "./setting-words";

const noVersions = (
  <EmptyState icon={IconHistory} title="No versions yet">
    The first change of this agent keeps how it was, and each change after it.
  </EmptyState>
);

/** Versions of an agent's configuration, each with its changes and a button to restore it. */
export function AgentVersions({ agent }: { agent: Agent }) {
  const client = useQueryClient();
  const refusal = useRefusal("agents:write");
  const list = useInfiniteQuery(agentQueries.versions(agent.id));
  const askFirst = ({ version }: AgentVersion) =>
    confirmAction({
      title: `Restore version ${version}?`,
      children: (
        <Stack gap="sm">
          <div>Settings and ticked tools become those of version {version}, as a new version. Keys and conversations stay.</div>
          <VersionChanges agentId={agent.id} version={version} against="current" />
        </Stack>
      ),
      action: "Restore",
      onConfirm: async () => {
        const saved = await call(agentEndpoints.restoreVersion, { params: { id: agent.id, version } }, { version: agent.version });
        client.setQueryData(agentQueries.one(agent.id).queryKey, saved);
        notifications.show({ message: spellHidden(`Version ${version} of ${saved.name} restored`) });
        await client.invalidateQueries({ queryKey: agentQueries.all() });
      },
    });

  return (
    <PagedList query={list} items="versions" skeletons={{ rows: 4, height: 3.25 }} empty={noVersions}>
      {(versions) => (
        <VersionList
          label="Versions of the agent, newest first"
          versions={versions}
          current={agent.version}
          refusal={refusal}
          onRestore={askFirst}
          changesOf={({ version }) => <VersionChanges agentId={agent.id} version={version} against="previous" />}
        />
      )}
    </PagedList>
  );
}

type VersionChangesProps = { agentId: string; version: number; against: "previous" | "current" };

function VersionChanges({ agentId, version, against }: VersionChangesProps) {
  const { data, error } = useQuery(agentQueries.version(agentId, version, against));
  if (error) return <p className={shared.small}>{toErrorSentence(error)}</p>;
  if (!data) return <Busy what="Loading the changes" />;
  if (data.changes.length === 0) return <p className={shared.small}>Nothing differs.</p>;
  return (
    <Stack gap="xs" mt="xs">
      {data.changes.map(({ setting, before, after }) => (
        <DiffView key={setting} label={settingWord(setting)} before={before} after={after} />
      ))}
    </Stack>
  );
}
