"use client";

import { Button } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import dayjs from "dayjs";
import { useState } from "react";
import { verdictWords } from "@/components/kit/ui/badges/verdict-words";
import { FilterBar, FilterBreak, filterFields, PeriodFilter } from "@/components/kit/ui/filters/filter-bar";
import { FilterSelect, NameFilter } from "@/components/kit/ui/filters/filter-select";
import { RemovableFilter } from "@/components/kit/ui/filters/removable-filter";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { auditEventNames } from "@/contracts/browser/audit/audit";
import { verdicts } from "@/contracts/browser/decisions/decision";
import type { Tool } from "@/contracts/tools/tools";
import { eventWords } from "./event-words";
import { type AuditSearch, noFilter } from "./search-params";
import { findRange, rangeStart, timeRanges } from "./time-ranges";

type AuditFiltersProps = {
  search: AuditSearch;
  tools: readonly Pick<Tool, "name" | "source" | "sourceName">[];
  agents: readonly { name: string }[];
  onChange: (changed: Partial<AuditSearch>) => void;
};

const momentFormat = "YYYY-MM-DD HH:mm";

type MomentFilterProps = { label: string; value: Date | null; onChange: (value: Date | null) => void };

/** A date filter; its accessible name begins with the label and contains the shown value. */
function MomentFilter({ label, value, onChange }: MomentFilterProps) {
  return (
    <DateTimePicker
      aria-label={value ? `${label} ${dayjs(value).format(momentFormat)}` : label}
      placeholder={label}
      valueFormat={momentFormat}
      value={value}
      onChange={(chosen) => onChange(chosen ? momentOf(chosen) : null)}
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
    />
  );
}

/** Filters behind "More filters". */
const rareFilters = ["source", "verdict", "actor", "from", "to"] as const;

/** Filters of the audit, kept in the address: the usual ones in one line, the others below when somebody wants them. */
export function AuditFilters({ search, tools, agents, onChange }: AuditFiltersProps) {
  const isFiltered = Object.values(search).some((value) => value !== null);
  // The time range sets `from`, and shows it.
  const range = findRange(search);
  const rareSet = rareFilters.filter((name) => search[name] !== null && !(name === "from" && range)).length;
  const [isOpened, setIsOpened] = useState(false);
  const showsRare = isOpened || rareSet > 0;
  // Counts resets, because clearing the filters must also clear half-typed text.
  const [emptied, setEmptied] = useState(0);
  return (
    <FilterBar label="Filter the audit">
      <SearchField
        key={`query ${emptied}`}
        label="Words"
        placeholder="Search subject and data"
        value={search.query ?? ""}
        onChange={(query) => onChange({ query: query || null })}
        className={filterFields.search}
      />
      <FilterSelect
        label="Event"
        className={filterFields.wideChoice}
        data={eventChoices()}
        value={search.event}
        onChange={(event) => onChange({ event })}
        searchable
      />
      <NameFilter
        label="Tool"
        className={filterFields.choice}
        names={tools.map(({ name }) => name)}
        value={search.tool}
        onChange={(tool) => onChange({ tool })}
      />
      <NameFilter
        label="Agent"
        className={filterFields.choice}
        names={agents.map(({ name }) => name)}
        value={search.agent}
        onChange={(agent) => onChange({ agent })}
      />
      <FilterSelect
        label="Time range"
        placeholder="Time range"
        className={filterFields.choice}
        data={timeRanges.map(({ name, label }) => ({ value: name, label }))}
        value={range}
        onChange={(name) => onChange({ from: rangeStart(name, new Date()), to: null })}
      />
      <Button
        variant={showsRare ? "light" : "default"}
        aria-expanded={showsRare}
        disabled={rareSet > 0}
        leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden />}
        onClick={() => setIsOpened(!isOpened)}
      >
        More filters
      </Button>
      {showsRare ? <RareFilters search={search} tools={tools} onChange={onChange} emptied={emptied} /> : null}
      {search.conversation ? <RemovableFilter label="One conversation only" onRemove={() => onChange({ conversation: null })} /> : null}
      {isFiltered ? (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            setEmptied(emptied + 1);
            onChange(noFilter);
          }}
        >
          Clear
        </Button>
      ) : null}
    </FilterBar>
  );
}

type RareFiltersProps = Pick<AuditFiltersProps, "search" | "tools" | "onChange"> & { emptied: number };

function RareFilters({ search, tools, onChange, emptied }: RareFiltersProps) {
  return (
    <>
      <FilterBreak />
      <NameFilter
        label="Source"
        className={filterFields.choice}
        names={sourcesOf(tools)}
        value={search.source}
        onChange={(source) => onChange({ source })}
      />
      <FilterSelect
        label="Verdict"
        className={filterFields.choice}
        data={verdicts.map((value) => ({ value, label: verdictWords[value] }))}
        value={search.verdict}
        onChange={(value) => onChange({ verdict: verdicts.find((verdict) => verdict === value) ?? null })}
      />
      <SearchField
        key={`actor ${emptied}`}
        label="Actor"
        placeholder="Actor: name or id"
        value={search.actor ?? ""}
        onChange={(actor) => onChange({ actor: actor || null })}
        className={filterFields.wideChoice}
      />
      <PeriodFilter>
        <MomentFilter label="From" value={search.from} onChange={(from) => onChange({ from })} />
        <MomentFilter label="Until" value={search.to} onChange={(to) => onChange({ to })} />
      </PeriodFilter>
    </>
  );
}

/** Returns all events grouped by noun, and the noun itself as the choice for all its events. */
function eventChoices() {
  const nouns = [...new Set(auditEventNames.map((event) => event.split(".")[0] ?? ""))];
  return nouns.map((noun) => ({
    group: noun.replaceAll("_", " "),
    items: [
      { value: noun, label: `Every ${noun.replaceAll("_", " ")} event` },
      ...auditEventNames
        .filter((event) => event.startsWith(`${noun}.`))
        .map((event) => ({ value: event as string, label: eventWords(event) })),
    ],
  }));
}

/** Returns tool sources as audit rows name them: `builtin`, `mcp:<alias>`. */
function sourcesOf(tools: AuditFiltersProps["tools"]): string[] {
  return [...new Set(tools.map(({ source, sourceName }) => (sourceName ? `${source}:${sourceName}` : source)))].toSorted();
}

/** Parses the picker's local time "2026-03-01 18:00:00"; with a T in place of the space every browser accepts the text. */
function momentOf(wallTime: string): Date {
  return new Date(wallTime.replace(" ", "T"));
}
