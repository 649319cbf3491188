"use client";

import { Button, Select } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { useMe } from "@/components/kit/session/me";
import { FilterBar, filterFields, PeriodFilter } from "@/components/kit/ui/filters/filter-bar";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { EditedBadge } from "@/components/nouns/calls/edited-by";
import { type Approval, approvalStatuses } from "@/contracts/browser/approvals/approvals";
import { ApprovalStatusBadge, approvalStatusWord } from "./approval-status-badge";
import { DayField } from "./day-field";
import rowClasses from "./history.module.css";
import { AgentSelect, ApprovalSearchField, ToolSelect } from "./inbox/inbox-toolbar";
import { approvalQueries } from "./queries";
import { approvalSearch, toHistoryFilter } from "./search-params";

// Loaded after the page, because a drawer opens only on a click.
const ApprovalDrawer = dynamic(() => import("./detail/approval-drawer").then((file) => file.ApprovalDrawer), { ssr: false });

const pastStatuses = approvalStatuses.filter((status) => status !== "pending");

const columns: readonly ListColumn<Approval>[] = [
  {
    heading: "Call",
    cell: ({ summary, tool, decision, editedBy, kind }) => (
      <span className={shared.lines}>
        <span className={rowClasses.line}>
          <CodeText dim>{tool.name}</CodeText>
          <CodeText>
            <RevealedText text={summary} />
          </CodeText>
          <EditedBadge by={editedBy} />
        </span>
        {kind === "call" ? (
          <span className={`${shared.oneLine} ${shared.small}`}>
            <RevealedText text={decision.reason} />
          </span>
        ) : null}
      </span>
    ),
  },
  { heading: "Outcome", width: "7.5rem", cell: ({ status }) => <ApprovalStatusBadge status={status} plain /> },
  { heading: "Agent", width: "8rem", wideOnly: true, cell: ({ agent }) => <RevealedText text={agent} /> },
  { heading: "Decided by", width: "9rem", wideOnly: true, cell: deciderOf },
  { heading: "Decided", width: "7.5rem", cell: ({ decidedAt }) => (decidedAt ? <RelativeTime at={decidedAt} /> : null) },
];

/** Names the decider; expired and cancelled approvals have none. */
function deciderOf({ decidedBy }: Approval): string {
  return decidedBy === null || decidedBy.type === "system" ? "" : decidedBy.name;
}

/** Approvals that are pending no more, newest first: what ran, why it was asked, who decided and when. */
export function History() {
  const [search, setSearch] = useQueryStates(approvalSearch);
  const filter = useMemo(() => toHistoryFilter(search), [search]);
  const approvals = useInfiniteQuery(approvalQueries.history(filter));
  useRowKeys("Approvals");
  const rows = approvals.data?.pages.flatMap(({ items }) => items);
  const isFiltered = Object.keys(filter).length > 1;
  const clear = () => void setSearch({ status: null, tool: null, agent: null, query: null, by: null, from: null, to: null });

  return (
    <>
      <FilterBar label="Filter the history">
        <ApprovalSearchField placeholder="Search" value={search.query} onChange={(query) => void setSearch({ query })} />
        <Select
          className={filterFields.choice}
          aria-label="Outcome"
          placeholder="Outcome"
          data={pastStatuses.map((value) => ({ value, label: approvalStatusWord(value) }))}
          value={search.status}
          onChange={(value) => void setSearch({ status: pastStatuses.find((known) => known === value) ?? null })}
          clearable
        />
        <AgentSelect value={search.agent} onChange={(agent) => void setSearch({ agent })} />
        <ToolSelect value={search.tool} onChange={(tool) => void setSearch({ tool })} />
        <PersonSelect rows={rows ?? []} value={search.by} onChange={(by) => void setSearch({ by })} />
        <PeriodFilter>
          <DayField label="From" value={search.from} onChange={(from) => void setSearch({ from })} />
          <DayField label="Until" value={search.to} onChange={(to) => void setSearch({ to })} />
        </PeriodFilter>
      </FilterBar>
      <PagedTable
        query={approvals}
        items="approvals"
        what="the history"
        empty={
          <EmptyState
            icon={IconHistory}
            title={isFiltered ? "No matching approvals" : "No decisions yet"}
            action={
              isFiltered ? (
                <Button variant="default" onClick={clear}>
                  Clear filters
                </Button>
              ) : null
            }
          >
            {isFiltered ? "Clear a filter to see more." : "Every decided approval is kept here."}
          </EmptyState>
        }
        label="Approvals"
        columns={columns}
        hrefOf={({ id }) => `/approvals?tab=history&approval=${id}`}
        onOpen={({ id }) => void setSearch({ approval: id }, { history: "push" })}
      />
      <ApprovalDrawer id={search.approval} onClose={() => void setSearch({ approval: null })} />
    </>
  );
}

type PersonSelectProps = { rows: readonly Approval[]; value: string | null; onChange: (value: string | null) => void };

/** Filter for deciders from the loaded rows, because only admins may read all members. */
function PersonSelect({ rows, value, onChange }: PersonSelectProps) {
  const { actor } = useMe();
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map([[actor.id, `${actor.name} (you)`]]));
  const added = rows.flatMap(({ decidedBy }) => (decidedBy && decidedBy.type !== "system" && !seen.has(decidedBy.id) ? [decidedBy] : []));
  if (added.length > 0) setSeen(new Map([...seen, ...added.map(({ id, name }) => [id, name] as const)]));
  return (
    <Select
      className={filterFields.choice}
      aria-label="Decided by"
      placeholder="Any person"
      data={[...seen].map(([id, name]) => ({ value: id, label: spellHidden(name) }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
    />
  );
}
