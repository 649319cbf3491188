"use client";

import { useQuery } from "@tanstack/react-query";
import { agentQueries } from "@/components/agents/queries";
import { ErrorState } from "@/components/ui/error-state";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import rows from "@/components/ui/rows.module.css";
import { AgentRow } from "./agent-row";
import { Section } from "./section";

/** The agents of the workspace, and what their calls may do. */
export function AgentsSection() {
  const agents = useQuery(agentQueries.list());
  return (
    <Section
      id="agents"
      title="Agents"
      description="What the calls of each agent may do, whatever rules say. A call with another effect is denied before the rules are tried."
    >
      {agents.isPending ? (
        <RowSkeletons rows={2} height={3.75} what="the agents" />
      ) : !agents.data ? (
        <ErrorState error={agents.error} what="the agents" retry={() => void agents.refetch()} retrying={agents.isFetching} />
      ) : (
        <ul className={rows.rows}>
          {agents.data.items.map((agent) => (
            <AgentRow key={agent.id} agent={agent} />
          ))}
        </ul>
      )}
    </Section>
  );
}
