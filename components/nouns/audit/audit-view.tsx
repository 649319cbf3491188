"use client";

import { Button } from "@mantine/core";
import { IconDownload, IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import { useDetail } from "@/components/kit/ui/overlays/use-detail";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { agentQueries } from "@/components/nouns/agents/queries";
import { EditedBadge } from "@/components/nouns/calls/edited-by";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type AuditEvent, auditEndpoints } from "@/contracts/browser/audit/audit";
import type { ActorRef } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { argumentsSummary } from "./arguments-summary";
import classes from "./audit.module.css";
import { AuditFilters } from "./audit-filters";
import { AuditProofBar } from "./audit-proof-bar";
import { erasureOf } from "./erased-payload";
import { EventName } from "./event-name";
import { eventSubject } from "./event-words";
import { auditQueries } from "./queries";
import { auditSearch, toAuditFilter } from "./search-params";

// Loaded after the page, because a drawer opens only on a click.
const AuditDrawer = dynamic(() => import("./audit-drawer").then((file) => file.AuditDrawer), { ssr: false });

const columns: readonly ListColumn<AuditEvent>[] = [
  { heading: "Event", width: "14rem", cell: ({ event }) => <EventName event={event} /> },
  {
    heading: "Subject",
    cell: (event) => (
      <span className={classes.what}>
        <Subject event={event} />
        <Summary event={event} />
      </span>
    ),
  },
  { heading: "Agent", width: "9rem", wideOnly: true, cell: ({ agent }) => <RevealedText text={agent} /> },
  { heading: "Verdict", width: "6rem", wideOnly: true, cell: ({ verdict }) => (verdict ? <VerdictBadge verdict={verdict} plain /> : null) },
  { heading: "Actor", width: "11rem", wideOnly: true, cell: ({ actor }) => <RevealedText text={actor.name} /> },
  { heading: "When", width: "6.5rem", cell: ({ at }) => <RelativeTime at={at} /> },
];

/** Returns the person who edited the call of an audit event. */
function editorOf({ editedBy }: AuditEvent["data"]): ActorRef | undefined {
  return isJsonObject(editedBy) && typeof editedBy.name === "string" && typeof editedBy.id === "string"
    ? { type: "user", id: editedBy.id, name: editedBy.name }
    : undefined;
}

/** The subject; a title in the words of a person is no code. */
function Subject({ event }: { event: AuditEvent }) {
  const words = eventSubject(event);
  return words === event.subjectName ? <RevealedText text={words} /> : <CodeText>{words}</CodeText>;
}

function Summary({ event }: { event: AuditEvent }) {
  if (erasureOf(event) !== null) return <span className={`${classes.summary} ${shared.oneLine}`}>Erased</span>;
  const summary = argumentsSummary(event.data);
  if (summary === null) return null;
  return (
    <span className={`${classes.summary} ${shared.oneLine}`}>
      <RevealedText text={summary} /> <EditedBadge by={editorOf(event.data)} />
    </span>
  );
}

/** All audit events, newest first, with filters, details and export. */
export function AuditView() {
  const [search, setSearch] = useQueryStates(auditSearch);
  const filter = toAuditFilter(search);
  const detail = useDetail("entry");
  const events = useInfiniteQuery(auditQueries.list(filter));
  const { data: tools = [] } = useQuery(toolQueries.list());
  const { data: agents } = useQuery(agentQueries.list());
  useRowKeys("Audit");
  const rows = events.data?.pages.flatMap(({ items }) => items);
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <>
      <PageHeader title="Audit" description="Every tool call and configuration change.">
        {(["csv", "ndjson"] as const).map((format) => (
          <Button
            key={format}
            component="a"
            variant="default"
            href={endpointAddress(auditEndpoints.export, { query: { ...filter, format } })}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </PageHeader>
      <AuditProofBar />
      <AuditFilters search={search} tools={tools} agents={agents?.items ?? []} onChange={(changed) => void setSearch(changed)} />
      <PagedTable
        query={events}
        items="events"
        what="the audit"
        empty={
          <EmptyState icon={IconHistory} title={isFiltered ? "No matching events" : "No events yet"}>
            {isFiltered ? "Clear a filter to see more." : "Tool calls and configuration changes appear here."}
          </EmptyState>
        }
        label="Audit events"
        columns={columns}
        hrefOf={({ id }) => `/audit?entry=${id}`}
        onOpen={({ id }) => detail.open(id)}
      />
      <AuditDrawer id={detail.id} listed={rows?.find(({ id }) => id === detail.id) ?? null} onClose={detail.close} />
    </>
  );
}
