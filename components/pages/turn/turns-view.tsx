"use client";

import { IconActivity } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useGoTo } from "@/components/kit/api/waiting-navigation";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { turnQueries } from "@/components/nouns/turns/queries";
import { WorkListPanel } from "@/components/nouns/work-lists/work-list-panel";
import type { TurnSummary } from "@/contracts/turns/turns";
import { CallNames } from "./call-names";
import { toTurnFilter, turnSearch } from "./search-params";
import { TurnFilters } from "./turn-filters";
import { TurnOutcome } from "./turn-outcome";

const columns: readonly ListColumn<TurnSummary>[] = [
  { heading: "Calls", cell: (turn) => <CallNames turn={turn} /> },
  { heading: "Status", width: "10.5rem", cell: (turn) => <TurnOutcome turn={turn} /> },
  { heading: "Agent", width: "9rem", wideOnly: true, cell: ({ agent }) => <RevealedText text={agent} /> },
  {
    heading: "Duration",
    width: "7rem",
    wideOnly: true,
    cell: ({ createdAt, finishedAt }) => (finishedAt ? durationText(Date.parse(finishedAt) - Date.parse(createdAt)) : ""),
  },
  { heading: "Submitted", width: "7.5rem", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

/** The turns of all conversations, newest first. */
export function TurnsView() {
  const [search, setSearch] = useQueryStates(turnSearch);
  const filter = toTurnFilter(search);
  const turns = useInfiniteQuery(turnQueries.recent(filter));
  const goTo = useGoTo();
  useRowKeys("Turns");
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <>
      <TurnFilters search={search} onChange={(changed) => void setSearch(changed)} />
      {filter.conversationId ? <WorkListPanel conversationId={filter.conversationId} /> : null}
      <PagedTable
        query={turns}
        items="turns"
        empty={
          <EmptyState icon={IconActivity} title={isFiltered ? "No matching turns" : "No turns yet"}>
            {isFiltered ? "Change or clear a filter." : "Tool calls of your agents appear here. Make a first call on the overview."}
          </EmptyState>
        }
        label="Turns"
        columns={columns}
        hrefOf={({ id }) => `/turns/${id}`}
        onOpen={({ id }) => goTo(`/turns/${id}`)}
      />
    </>
  );
}
