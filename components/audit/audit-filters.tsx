"use client";

import { Button } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import dayjs from "dayjs";
import { useState } from "react";
import { FilterSelect, NameFilter } from "@/components/ui/filter-select";
import { RemovableFilter } from "@/components/ui/removable-filter";
import { SearchField } from "@/components/ui/search-field";
import { verdictWords } from "@/components/ui/verdict-words";
import { auditEventNames } from "@/contracts/browser/audit";
import { verdicts } from "@/contracts/browser/decision";
import type { Tool } from "@/contracts/tools";
import classes from "./audit.module.css";
import { eventWords } from "./event-words";
import type { AuditSearch } from "./search-params";
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
      className={classes.filter}
      valueFormat={momentFormat}
      value={value}
      onChange={(chosen) => onChange(chosen ? momentOf(chosen) : null)}
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
    />
  );
}

/** Filters of the audit, kept in the address. */
export function AuditFilters({ search, tools, agents, onChange }: AuditFiltersProps) {
  const isFiltered = Object.values(search).some((value) => value !== null);
  // Counts resets, because clearing the filters must also clear half-typed text.
  const [emptied, setEmptied] = useState(0);
  return (
    <search className={classes.filters} aria-label="Filter the audit">
      <SearchField
        key={`query ${emptied}`}
        label="Words"
        placeholder="Search subject and data"
        value={search.query ?? ""}
        onChange={(query) => onChange({ query: query || null })}
        className={classes.words}
      />
      <FilterSelect
        label="Event"
        className={classes.filter}
        data={eventChoices()}
        value={search.event}
        onChange={(event) => onChange({ event })}
        searchable
      />
      <NameFilter
        label="Tool"
        className={classes.filter}
        names={tools.map(({ name }) => name)}
        value={search.tool}
        onChange={(tool) => onChange({ tool })}
      />
      <NameFilter
        label="Agent"
        className={classes.filter}
        names={agents.map(({ name }) => name)}
        value={search.agent}
        onChange={(agent) => onChange({ agent })}
      />
      <NameFilter
        label="Source"
        className={classes.narrow}
        names={sourcesOf(tools)}
        value={search.source}
        onChange={(source) => onChange({ source })}
      />
      <FilterSelect
        label="Verdict"
        className={classes.narrow}
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
        className={classes.narrow}
      />
      <FilterSelect
        label="Time range"
        placeholder="Time range"
        className={classes.narrow}
        data={timeRanges.map(({ name, label }) => ({ value: name, label }))}
        value={findRange(search)}
        onChange={(name) => onChange({ from: rangeStart(name, new Date()), to: null })}
      />
      <MomentFilter label="From" value={search.from} onChange={(from) => onChange({ from })} />
      <MomentFilter label="Until" value={search.to} onChange={(to) => onChange({ to })} />
      {search.conversation ? <RemovableFilter label="One conversation only" onRemove={() => onChange({ conversation: null })} /> : null}
      {isFiltered ? (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            setEmptied(emptied + 1);
            onChange({
              query: null,
              event: null,
              tool: null,
              agent: null,
              source: null,
              verdict: null,
              actor: null,
              conversation: null,
              from: null,
              to: null,
            });
          }}
        >
          Clear
        </Button>
      ) : null}
    </search>
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
