"use client";

import { Button } from "@mantine/core";
import { IconDownload, IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { addressOf } from "@/components/api/address-of";
import { useRowKeys } from "@/components/shell/use-row-keys";
import { toolQueries } from "@/components/tools/queries";
import { useDetail } from "@/components/ui/detail-drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { type ListColumn, ListTable } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { MachineText } from "@/components/ui/machine-text";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { VerdictBadge } from "@/components/ui/verdict-badge";
import { type AuditEvent, auditEndpoints } from "@/contracts/audit";
import { AuditDrawer } from "./audit-drawer";
import { AuditFilters } from "./audit-filters";
import { EventName } from "./event-name";
import { subjectOf } from "./event-words";
import { auditQueries } from "./queries";
import { auditSearch, filterOf } from "./search-params";

const columns: readonly ListColumn<AuditEvent>[] = [
  { heading: "Event", width: "14rem", cell: ({ event }) => <EventName event={event} /> },
  {
    heading: "What",
    cell: (event) => (
      <MachineText>
        <RevealedText text={subjectOf(event)} />
      </MachineText>
    ),
  },
  { heading: "Verdict", width: "6rem", wideOnly: true, cell: ({ verdict }) => (verdict ? <VerdictBadge verdict={verdict} plain /> : null) },
  { heading: "Who", width: "11rem", wideOnly: true, cell: ({ actor }) => actor.name },
  { heading: "When", width: "6.5rem", cell: ({ at }) => <RelativeTime at={at} /> },
];

/** Everything that happened, newest first: narrowed, read and taken away as a file. */
export function AuditView() {
  const [search, setSearch] = useQueryStates(auditSearch);
  const filter = filterOf(search);
  const detail = useDetail("entry");
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    auditQueries.list(filter),
  );
  const { data: tools = [] } = useQuery(toolQueries.list());
  useRowKeys("Audit");
  const rows = data?.pages.flatMap(({ items }) => items);
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <>
      <PageHeader title="Audit" description="Every guarded call and every change of the configuration, written with what it records.">
        {(["csv", "ndjson"] as const).map((format) => (
          <Button
            key={format}
            component="a"
            variant="default"
            href={addressOf(auditEndpoints.export, { query: { ...filter, format } })}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </PageHeader>
      <AuditFilters search={search} tools={tools} onChange={(changed) => void setSearch(changed)} />
      {!rows && error ? (
        <ErrorState error={error} what="the audit" retry={refetch} retrying={isRefetching} />
      ) : !rows ? (
        <RowSkeletons rows={12} height={2.25} what="the audit" />
      ) : rows.length === 0 ? (
        <EmptyState icon={IconHistory} title={isFiltered ? "No event fits this filter" : "Nothing has happened yet"}>
          {isFiltered ? "Clear a part of it to see more." : "Calls of agents and changes of the configuration are written here."}
        </EmptyState>
      ) : (
        <>
          <ListTable
            label="Audit events"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/audit?entry=${id}`}
            onOpen={({ id }) => detail.open(id)}
          />
          <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what="events" />
        </>
      )}
      <AuditDrawer id={detail.id} listed={rows?.find(({ id }) => id === detail.id) ?? null} onClose={detail.close} />
    </>
  );
}
