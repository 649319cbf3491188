"use client";

import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { FilterBar, filterFields } from "@/components/kit/ui/filters/filter-bar";
import { FilterSelect, NameFilter } from "@/components/kit/ui/filters/filter-select";
import { RemovableFilter } from "@/components/kit/ui/filters/removable-filter";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { agentQueries } from "@/components/nouns/agents/queries";
import { turnStatusWord } from "@/components/nouns/calls/call-status-badge";
import { toolQueries } from "@/components/nouns/tools/queries";
import { outcomeGroups } from "@/contracts/browser/calls/call-outcomes";
import { turnStatuses } from "@/contracts/browser/turns/turns";
import type { TurnSearch } from "./search-params";
import classes from "./turn-filters.module.css";

const outcomeChoices = {
  succeeded: "With succeeded calls",
  failed: "With failed calls",
  denied: "With denied calls",
  cancelled: "With cancelled calls",
  open: "With unfinished calls",
} as const;

type TurnFiltersProps = { search: TurnSearch; onChange: (changed: Partial<TurnSearch>) => void };

/** Filters of the list of turns, kept in the address. */
export function TurnFilters({ search, onChange }: TurnFiltersProps) {
  const { data: agents } = useQuery(agentQueries.list());
  const { data: tools } = useQuery(toolQueries.list());
  const period = periodWords(search);
  return (
    <FilterBar label="Filter turns">
      <SegmentedControl
        size="xs"
        className={classes.status}
        aria-label="Status"
        value={search.status ?? "all"}
        onChange={(value) => onChange({ status: turnStatuses.find((known) => known === value) ?? null })}
        data={[{ value: "all", label: "All" }, ...turnStatuses.map((value) => ({ value, label: turnStatusWord(value) }))]}
      />
      <SearchField
        placeholder="Search arguments and titles"
        className={filterFields.search}
        value={search.query ?? ""}
        onChange={(query) => onChange({ query: query || null })}
      />
      <NameFilter
        label="Agent"
        className={filterFields.choice}
        names={agents?.items.map(({ name }) => name) ?? []}
        value={search.agent}
        onChange={(agent) => onChange({ agent })}
      />
      <NameFilter
        label="Tool"
        className={filterFields.choice}
        names={tools?.map(({ name }) => name) ?? []}
        value={search.tool}
        onChange={(tool) => onChange({ tool })}
      />
      <FilterSelect
        label="Outcome"
        className={filterFields.choice}
        data={outcomeGroups.map((value) => ({ value, label: outcomeChoices[value] }))}
        value={search.outcome ?? null}
        onChange={(value) => onChange({ outcome: outcomeGroups.find((known) => known === value) ?? null })}
      />
      {period ? <RemovableFilter compact label={period} onRemove={() => onChange({ from: null, to: null })} /> : null}
      {search.conversation ? (
        <RemovableFilter compact label="One conversation only" onRemove={() => onChange({ conversation: null })} />
      ) : null}
    </FilterBar>
  );
}

function periodWords({ from, to }: TurnSearch): string | null {
  const words = (moment: Date) =>
    new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }).format(moment);
  if (from && to) return `${words(from)} to ${words(to)}`;
  if (from) return `Since ${words(from)}`;
  return to ? `Before ${words(to)}` : null;
}
