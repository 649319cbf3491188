"use client";

import { Button, NativeSelect } from "@mantine/core";
import { IconStack2, IconUserCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { memo, type Ref, useState } from "react";
import { riskWords } from "@/components/kit/ui/badges/risk-mark";
import { FilterBar, filterFields } from "@/components/kit/ui/filters/filter-bar";
import { NameFilter } from "@/components/kit/ui/filters/filter-select";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { agentQueries } from "@/components/nouns/agents/queries";
import { toolQueries } from "@/components/nouns/tools/queries";
import { approvalKinds } from "@/contracts/browser/approvals/approvals";
import { severities } from "@/contracts/browser/decisions/decision";
import type { ApprovalSearch } from "../search-params";

const kindWords = { call: "Calls", question: "Questions" } as const;

type Change = (change: Partial<ApprovalSearch & { grouped: boolean }>) => void;

type InboxToolbarProps = { search: ApprovalSearch & { grouped: boolean }; onChange: Change; searchField: Ref<HTMLInputElement> };

/** Search and filters of the inbox, kept in the address. */
export const InboxToolbar = memo(function InboxToolbar({ search, onChange, searchField }: InboxToolbarProps) {
  return (
    <FilterBar label="Filter approvals">
      <ApprovalSearchField value={search.query} onChange={(query) => onChange({ query })} field={searchField} />
      <NativeSelect
        className={filterFields.choice}
        aria-label="Risk"
        data={[{ value: "", label: "Any risk" }, ...severities.map((value) => ({ value, label: riskWords[value] }))]}
        value={search.risk ?? ""}
        onChange={(event) => onChange({ risk: severities.find((known) => known === event.currentTarget.value) ?? null })}
      />
      <AgentSelect value={search.agent} onChange={(agent) => onChange({ agent })} />
      <ToolSelect value={search.tool} onChange={(tool) => onChange({ tool })} />
      <NativeSelect
        className={filterFields.choice}
        aria-label="Type"
        data={[{ value: "", label: "Any type" }, ...approvalKinds.map((value) => ({ value, label: kindWords[value] }))]}
        value={search.kind ?? ""}
        onChange={(event) => onChange({ kind: approvalKinds.find((known) => known === event.currentTarget.value) ?? null })}
      />
      <Button
        variant={search.mine ? "light" : "default"}
        aria-pressed={search.mine}
        leftSection={<IconUserCheck size={15} aria-hidden />}
        onClick={() => onChange({ mine: !search.mine })}
      >
        For me
      </Button>
      <Button
        variant={search.grouped ? "light" : "default"}
        aria-pressed={search.grouped}
        leftSection={<IconStack2 size={15} aria-hidden />}
        onClick={() => onChange({ grouped: !search.grouped })}
      >
        Group
      </Button>
    </FilterBar>
  );
});

type ApprovalSearchFieldProps = { placeholder?: string; value: string; onChange: (value: string) => void; field?: Ref<HTMLInputElement> };

/** The search of the inbox and of the history. */
export function ApprovalSearchField(props: ApprovalSearchFieldProps) {
  return <SearchField placeholder="Search calls, agents, requesters" className={filterFields.search} {...props} />;
}

type NameSelectProps = { value: string | null; onChange: (value: string | null) => void };

export function AgentSelect({ value, onChange }: NameSelectProps) {
  const [isWanted, setIsWanted] = useState(false);
  const { data } = useQuery({ ...agentQueries.list(), enabled: isWanted });
  const names = data?.items.map(({ name }) => name) ?? [];
  return (
    <NameFilter
      label="Agent"
      placeholder="Any agent"
      className={filterFields.choice}
      names={names}
      value={value}
      onChange={onChange}
      onDropdownOpen={() => setIsWanted(true)}
    />
  );
}

export function ToolSelect({ value, onChange }: NameSelectProps) {
  const [isWanted, setIsWanted] = useState(false);
  const { data: tools = [] } = useQuery({ ...toolQueries.list(), enabled: isWanted });
  const names = tools.map(({ name }) => name);
  return (
    <NameFilter
      label="Tool"
      placeholder="Any tool"
      className={filterFields.choice}
      names={names}
      value={value}
      onChange={onChange}
      onDropdownOpen={() => setIsWanted(true)}
    />
  );
}
