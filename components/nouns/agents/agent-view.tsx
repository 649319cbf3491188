"use client";

import { Anchor, Tabs } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { AnswerText } from "@/components/kit/markdown/answer-text";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { toolQueries } from "@/components/nouns/tools/queries";
import { AgentTools } from "./agent-tools";
import classes from "./agents.module.css";
import { confirmRemoval } from "./confirm-removal";
import { NewAgent } from "./new-agent";
import { agentQueries } from "./queries";
import { agentSearch, agentTabs } from "./search-params";

// Tabs load on demand and only in the browser, because a field without handlers would lose typed text.
const loading = () => <RowSkeletons rows={3} height={4} what="the agent" />;
const AgentSettings = dynamic(async () => (await import("./agent-settings")).AgentSettings, { ssr: false, loading });
const AgentKeys = dynamic(async () => (await import("./agent-keys")).AgentKeys, { ssr: false, loading });
const AgentVersions = dynamic(async () => (await import("./agent-versions")).AgentVersions, { ssr: false, loading });
const AgentRuns = dynamic(async () => (await import("@/components/nouns/runs/agent-runs")).AgentRuns, { ssr: false, loading });
const RecentCalls = dynamic(async () => (await import("@/components/nouns/calls/recent-calls")).RecentCalls, { ssr: false, loading });

const AgentSkills = dynamic(async () => (await import("@/components/nouns/skills/agent-skills")).AgentSkills, { ssr: false, loading });
const MemoryPanel = dynamic(async () => (await import("@/components/nouns/memory/memory-panel")).MemoryPanel, { ssr: false, loading });

/** One agent: its tools, settings, keys, recent calls and runs. */
export function AgentView({ id }: { id: string }) {
  const client = useQueryClient();
  const router = useRouter();
  const [tab, setTab] = useQueryState("tab", agentSearch.tab);
  const agent = useQuery(agentQueries.one(id));
  const tools = useQuery(toolQueries.list());
  const forbidden = useRefusal("agents:write");
  const [isCopying, setIsCopying] = useState(false);
  useRowKeys("Agent");
  if (agent.isPending) return <RowSkeletons rows={4} height={4} what="the agent" />;
  if (!agent.data) {
    return <ErrorState error={agent.error} what="the agent" retry={() => void agent.refetch()} retrying={agent.isFetching} />;
  }
  const { name, description, isDefault, version } = agent.data;
  const refusal = forbidden ?? (isDefault ? "The default agent cannot be deleted because calls without an agent use it." : null);
  return (
    <>
      <Anchor component={Link} href="/agents" size="sm">
        All agents
      </Anchor>
      <PageHeader title={name} description={description ? <AnswerText text={description} /> : isDefault ? "Default agent" : undefined}>
        <RefusableButton
          refusal={forbidden}
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => setIsCopying(true)}
        >
          Duplicate
        </RefusableButton>
        <NewAgent opened={isCopying} onClose={() => setIsCopying(false)} original={agent.data} />
        <RefusableButton
          refusal={refusal}
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => confirmRemoval(agent.data, client, () => router.push("/agents"))}
        >
          Delete agent
        </RefusableButton>
      </PageHeader>
      <Tabs value={tab} onChange={(value) => void setTab(agentTabs.find((known) => known === value) ?? null)} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="tools">Tools</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="skills">Skills</Tabs.Tab>
          <Tabs.Tab value="memory">Memory</Tabs.Tab>
          <Tabs.Tab value="keys">API keys</Tabs.Tab>
          <Tabs.Tab value="calls">Recent calls</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tools">
          <AgentTools agent={agent.data} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <AgentSettings key={version} agent={agent.data} />
        </Tabs.Panel>
        <Tabs.Panel value="skills">
          <div className={classes.panel}>
            <AgentSkills agentId={id} skillsDisabled={agent.data.skillsDisabled} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="memory">
          <MemoryPanel agentId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <AgentKeys agent={agent.data} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <div className={classes.panel}>
            <AgentVersions agent={agent.data} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <div className={classes.panel}>
            <AgentRuns agentId={id} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="calls">
          <div className={classes.panel}>
            <RecentCalls filter={{ agentId: id }} tools={tools.data ?? []} empty="Calls in this agent's conversations appear here." />
          </div>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
