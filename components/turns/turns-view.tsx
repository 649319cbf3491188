"use client";

import { Button, Group, SegmentedControl } from "@mantine/core";
import { IconActivity, IconX } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useRowKeys } from "@/components/shell/use-row-keys";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { type ListColumn, ListTable } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { type TurnSummary, turnStatuses } from "@/contracts/turns";
import { CallNames } from "./call-names";
import { TurnStatusBadge, turnStatusWords } from "./call-status-badge";
import { durationText } from "./duration-text";
import { turnQueries } from "./queries";
import { turnSearch } from "./search-params";

const columns: readonly ListColumn<TurnSummary>[] = [
  { heading: "Calls", cell: ({ calls }) => <CallNames calls={calls} /> },
  { heading: "Status", width: "10.5rem", cell: ({ status }) => <TurnStatusBadge status={status} plain /> },
  { heading: "Agent", width: "9rem", wideOnly: true, cell: ({ agent }) => agent },
  {
    heading: "Took",
    width: "7rem",
    wideOnly: true,
    cell: ({ createdAt, finishedAt }) => (finishedAt ? durationText(Date.parse(finishedAt) - Date.parse(createdAt)) : ""),
  },
  { heading: "Submitted", width: "7.5rem", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

/** The turns of all conversations, newest first. */
export function TurnsView() {
  const [{ status, conversation }, setSearch] = useQueryStates(turnSearch);
  const filter = { ...(status ? { status } : {}), ...(conversation ? { conversationId: conversation } : {}) };
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    turnQueries.recent(filter),
  );
  const router = useRouter();
  useRowKeys("Turns");
  const rows = data?.pages.flatMap(({ items }) => items);
  const isFiltered = status !== null || conversation !== null;

  return (
    <>
      <Group gap="xs" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label="Status"
          value={status ?? "all"}
          onChange={(value) => void setSearch({ status: turnStatuses.find((known) => known === value) ?? null })}
          data={[{ value: "all", label: "All" }, ...turnStatuses.map((value) => ({ value, label: turnStatusWords[value] }))]}
        />
        {conversation ? (
          <Button
            variant="default"
            size="compact-sm"
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => void setSearch({ conversation: null })}
          >
            One conversation only
          </Button>
        ) : null}
      </Group>
      {!rows && error ? (
        <ErrorState error={error} what="the turns" retry={refetch} retrying={isRefetching} />
      ) : !rows ? (
        <RowSkeletons rows={8} height={2.25} what="the turns" />
      ) : rows.length === 0 ? (
        <EmptyState icon={IconActivity} title={isFiltered ? "No turn fits this filter" : "No turn yet"}>
          {isFiltered
            ? "Choose another status to see more."
            : "When an agent runtime submits tool calls, each turn and what became of its calls stands here. The overview has a curl to try it."}
        </EmptyState>
      ) : (
        <>
          <ListTable
            label="Turns"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/turns/${id}`}
            onOpen={({ id }) => router.push(`/turns/${id}`)}
          />
          <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what="turns" />
        </>
      )}
    </>
  );
}
