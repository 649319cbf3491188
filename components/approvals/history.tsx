"use client";

import { Group, Select } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { toolQueries } from "@/components/tools/queries";
import { argumentsToShow } from "@/components/turns/arguments-to-show";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { type ListColumn, ListTable } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { type Approval, approvalStatuses } from "@/contracts/approvals";
import { ApprovalStatusBadge, approvalStatusWords } from "./approval-status-badge";
import { approvalQueries } from "./queries";
import { approvalSearch } from "./search-params";

const columns: readonly ListColumn<Approval>[] = [
  { heading: "Tool", width: "15rem", cell: ({ tool }) => tool.title },
  {
    heading: "Call",
    wideOnly: true,
    cell: (approval) => <MachineText dim>{argumentsToShow(approval.arguments, approval.tool.primaryArgument)[0]?.text ?? ""}</MachineText>,
  },
  { heading: "Outcome", width: "7.5rem", cell: ({ status }) => <ApprovalStatusBadge status={status} plain /> },
  { heading: "Agent", width: "8rem", wideOnly: true, cell: ({ agent }) => agent },
  { heading: "Decided by", width: "9rem", wideOnly: true, cell: ({ decidedBy }) => decidedBy?.name ?? "" },
  { heading: "Asked", width: "7.5rem", cell: ({ requestedAt }) => <RelativeTime at={requestedAt} /> },
];

/** Every approval that there was, newest first. */
export function History({ onOpen }: { onOpen: (id: string) => void }) {
  const [{ status, tool }, setSearch] = useQueryStates(approvalSearch);
  const filter = { ...(status ? { status } : {}), ...(tool ? { tool } : {}) };
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    approvalQueries.history(filter),
  );
  const { data: tools = [] } = useQuery(toolQueries.list());
  const rows = data?.pages.flatMap(({ items }) => items);

  return (
    <>
      <Group gap="xs" mb="sm">
        <Select
          aria-label="Outcome"
          placeholder="Every outcome"
          data={approvalStatuses.map((value) => ({ value, label: approvalStatusWords[value] }))}
          value={status}
          onChange={(value) => void setSearch({ status: approvalStatuses.find((known) => known === value) ?? null })}
          clearable
          flex="1 1 11rem"
          maw={260}
        />
        <Select
          aria-label="Tool"
          placeholder="Every tool"
          data={toolChoices(tools, tool)}
          value={tool}
          onChange={(value) => void setSearch({ tool: value })}
          searchable
          clearable
          flex="1 1 11rem"
          maw={260}
        />
      </Group>
      {!rows && error ? (
        <ErrorState error={error} what="the history" retry={refetch} retrying={isRefetching} />
      ) : !rows ? (
        <RowSkeletons rows={8} height={2.25} what="the history" />
      ) : rows.length === 0 ? (
        <EmptyState icon={IconHistory} title={status || tool ? "No approval fits this filter" : "No approval yet"}>
          {status || tool ? "Clear a filter to see more." : "Every question to a person, and its answer, is kept here."}
        </EmptyState>
      ) : (
        <>
          <ListTable
            label="Approvals"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/approvals?tab=history&approval=${id}`}
            onOpen={({ id }) => onOpen(id)}
          />
          <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what="approvals" />
        </>
      )}
    </>
  );
}

/** Tools by name; one that is gone but was asked about can still be looked for. */
function toolChoices(tools: readonly { name: string }[], chosen: string | null): string[] {
  const names = tools.map(({ name }) => name);
  return chosen && !names.includes(chosen) ? [chosen, ...names] : names;
}
