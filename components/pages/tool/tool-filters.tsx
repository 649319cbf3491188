"use client";

import { Button, CloseButton, Kbd, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRef } from "react";
import { useShortcuts } from "@/components/kit/keyboard/shortcuts";
import { distinctChoices, type ToolChoice, toolSource } from "@/components/nouns/tools/filter-tools";
import type { Tool } from "@/contracts/tools/tools";
import classes from "./tools.module.css";

type ToolFiltersProps = { tools: readonly Tool[]; choice: ToolChoice; onChange: (change: Partial<ToolChoice>) => void };

/** Filters for words, source and family, kept in the address. */
export function ToolFilters({ tools, choice, onChange }: ToolFiltersProps) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: "/", label: "Search tools", group: "Tools", run: () => search.current?.focus() }]);
  const isFiltered = choice.query !== "" || choice.source !== null || choice.family !== null;
  return (
    <search className={classes.filters}>
      <TextInput
        ref={search}
        className={classes.searchField}
        type="search"
        aria-label="Search tools"
        placeholder="Name, alias or words of the description"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          choice.query ? (
            <CloseButton size="sm" aria-label="Clear the search" onClick={() => onChange({ query: "" })} />
          ) : (
            <Kbd size="xs" className={classes.key} aria-hidden>
              /
            </Kbd>
          )
        }
        value={choice.query}
        onChange={(event) => onChange({ query: event.currentTarget.value })}
      />
      <Select
        className={classes.filter}
        aria-label="Source"
        placeholder="Every source"
        data={distinctChoices(tools, toolSource)}
        value={choice.source}
        onChange={(source) => onChange({ source })}
        clearable
        clearButtonProps={{ "aria-label": "Every source" }}
      />
      <Select
        className={classes.filter}
        aria-label="Family"
        placeholder="Every family"
        data={distinctChoices(tools, ({ family }) => family)}
        value={choice.family}
        onChange={(family) => onChange({ family })}
        clearable
        clearButtonProps={{ "aria-label": "Every family" }}
      />
      {isFiltered ? (
        <Button variant="subtle" color="gray" onClick={() => onChange({ query: "", source: null, family: null })}>
          Clear
        </Button>
      ) : null}
    </search>
  );
}
