"use client";

import { IconRobot } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useGoTo } from "@/components/kit/api/waiting-navigation";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import type { Run } from "@/contracts/runs/runs";
import { AgentUsage } from "./agent-usage";
import { costWords, estimateWords } from "./cost-words";
import { runQueries } from "./queries";
import { RunStatusBadge } from "./run-status-badge";

const maxOutcomeChars = 120;

const columns: readonly ListColumn<Run>[] = [
  { heading: "Started", width: "8rem", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { heading: "Status", width: "10rem", cell: ({ status }) => <RunStatusBadge status={status} plain /> },
  {
    heading: "Outcome",
    wideOnly: true,
    cell: ({ answer, error }) => <RevealedText text={error?.slice(0, maxOutcomeChars) ?? plainPreview(answer ?? "", maxOutcomeChars)} />,
  },
  { heading: "Steps", width: "4.5rem", wideOnly: true, cell: ({ steps }) => steps },
  {
    heading: "Tokens",
    width: "7rem",
    wideOnly: true,
    cell: ({ usage }) => <TokenCount tokens={usage.inputTokens + usage.outputTokens} unit={false} isEstimate={usage.isEstimated} />,
  },
  {
    heading: "Cost",
    width: "6rem",
    cell: ({ usage }) => (usage.costUsd === null ? "No price" : estimateWords(costWords(usage.costUsd) ?? "", usage.isEstimated)),
  },
  {
    heading: "Duration",
    width: "7rem",
    wideOnly: true,
    cell: ({ createdAt, finishedAt }) => (finishedAt ? durationText(Date.parse(finishedAt) - Date.parse(createdAt)) : ""),
  },
];

/** An agent's usage by day, and its runs, newest first. */
export function AgentRuns({ agentId }: { agentId: string }) {
  const runs = useInfiniteQuery(runQueries.ofAgent(agentId));
  const goTo = useGoTo();
  const hasRuns = (runs.data?.pages[0]?.items.length ?? 0) > 0;
  return (
    <>
      {hasRuns ? (
        <>
          <AgentUsage agentId={agentId} />
          <h2 className={`${shared.title} ${shared.above}`}>Runs</h2>
        </>
      ) : null}
      <PagedTable
        query={runs}
        items="runs"
        empty={
          <EmptyState icon={IconRobot} title="No runs yet">
            Write to the agent in Chat, or start a run with POST /agents/{"{id}"}/runs.
          </EmptyState>
        }
        label="Runs"
        columns={columns}
        hrefOf={({ id }) => `/runs/${id}`}
        onOpen={({ id }) => goTo(`/runs/${id}`)}
      />
    </>
  );
}
