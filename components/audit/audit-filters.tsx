"use client";

import { Button, Select, TextInput } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { auditEventNames } from "@/contracts/audit";
import { verdicts } from "@/contracts/decision";
import classes from "./audit.module.css";
import { eventWords } from "./event-words";
import type { AuditSearch } from "./search-params";

type AuditFiltersProps = {
  search: AuditSearch;
  tools: readonly { name: string }[];
  onChange: (changed: Partial<AuditSearch>) => void;
};

const typingPauseMs = 350;
const verdictWords = { allow: "Allow", deny: "Deny", require_approval: "Ask" } as const;

/** Narrows the audit; every choice stands in the address. */
export function AuditFilters({ search, tools, onChange }: AuditFiltersProps) {
  const isFiltered = Object.values(search).some((value) => value !== null);
  // Emptying everything also empties what is being typed.
  const [emptied, setEmptied] = useState(0);
  return (
    <search className={classes.filters} aria-label="Filter the audit">
      <TypedFilter
        key={`query ${emptied}`}
        label="Words"
        placeholder="Words in the subject or the data"
        value={search.query}
        onChange={(query) => onChange({ query })}
        className={classes.words}
      />
      <Select
        aria-label="Event"
        placeholder="Every event"
        className={classes.filter}
        data={eventChoices()}
        value={search.event}
        onChange={(event) => onChange({ event })}
        searchable
        clearable
      />
      <Select
        aria-label="Tool"
        placeholder="Every tool"
        className={classes.filter}
        data={withChosen(
          tools.map(({ name }) => name),
          search.tool,
        )}
        value={search.tool}
        onChange={(tool) => onChange({ tool })}
        searchable
        clearable
      />
      <Select
        aria-label="Verdict"
        placeholder="Every verdict"
        className={classes.narrow}
        data={verdicts.map((value) => ({ value, label: verdictWords[value] }))}
        value={search.verdict}
        onChange={(value) => onChange({ verdict: verdicts.find((verdict) => verdict === value) ?? null })}
        clearable
      />
      <TypedFilter
        key={`actor ${emptied}`}
        label="Who"
        placeholder="Who: name or id"
        value={search.actor}
        onChange={(actor) => onChange({ actor })}
        className={classes.narrow}
      />
      <DateTimePicker
        aria-label="From"
        placeholder="From"
        className={classes.filter}
        value={search.from}
        onChange={(from) => onChange({ from: from ? momentOf(from) : null })}
        clearable
      />
      <DateTimePicker
        aria-label="Until"
        placeholder="Until"
        className={classes.filter}
        value={search.to}
        onChange={(to) => onChange({ to: to ? momentOf(to) : null })}
        clearable
      />
      {search.conversation ? (
        <Button variant="default" rightSection={<IconX size={14} aria-hidden />} onClick={() => onChange({ conversation: null })}>
          One conversation only
        </Button>
      ) : null}
      {isFiltered ? (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            setEmptied(emptied + 1);
            onChange({ query: null, event: null, tool: null, verdict: null, actor: null, conversation: null, from: null, to: null });
          }}
        >
          Clear
        </Button>
      ) : null}
    </search>
  );
}

type TypedFilterProps = {
  label: string;
  placeholder: string;
  value: string | null;
  onChange: (value: string | null) => void;
  className?: string;
};

/** A filter that is typed: it takes effect when the typing pauses. */
function TypedFilter({ label, placeholder, value, onChange, className }: TypedFilterProps) {
  const [typed, setTyped] = useState(value ?? "");
  const settle = useDebouncedCallback((text: string) => onChange(text.trim() || null), typingPauseMs);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      className={className}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        settle(event.currentTarget.value);
      }}
    />
  );
}

/** Every event under its noun, and the noun for all of them. */
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

/** A tool that is gone can still be looked for. */
function withChosen(names: string[], chosen: string | null): string[] {
  return chosen && !names.includes(chosen) ? [chosen, ...names] : names;
}

/** The picker speaks of the time on the wall here, "2026-03-01 18:00:00"; with a T every browser reads it so. */
function momentOf(wallTime: string): Date {
  return new Date(wallTime.replace(" ", "T"));
}
