"use client";

import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { agentQueries } from "@/components/nouns/agents/queries";

const loading = () => <RowSkeletons rows={4} height={3.25} what="the memory" />;
const MemoryPanel = dynamic(async () => (await import("@/components/nouns/memory/memory-panel")).MemoryPanel, { ssr: false, loading });

/** The memory of the workspace's agents, one agent at a time. */
export function MemoryView() {
  const agents = useQuery(agentQueries.list());
  const [chosen, setChosen] = useQueryState("agent", parseAsString);
  return (
    <>
      <PageHeader
        title="Memory"
        description="Agents remember between conversations: for one person, for all who use them, for the workspace."
      />
      <Loaded query={agents} what="the agents" rows={4} height={3.25}>
        {({ items }) => {
          const agent = items.find(({ id }) => id === chosen) ?? items.find(({ isDefault }) => isDefault) ?? items[0];
          if (!agent) return null;
          return (
            <>
              <Select
                label="Agent"
                w={280}
                data={nameChoices(items)}
                value={agent.id}
                allowDeselect={false}
                searchable
                onChange={(value) => void setChosen(value)}
              />
              <MemoryPanel key={agent.id} agentId={agent.id} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
