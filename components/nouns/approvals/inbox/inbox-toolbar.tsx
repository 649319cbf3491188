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
      <Toggle icon={IconUserCheck} isOn={search.mine} onChange={(mine) => onChange({ mine })}>
        For me
      </Toggle>
      <Toggle icon={IconStack2} isOn={search.grouped} onChange={(grouped) => onChange({ grouped })}>
        Group
      </Toggle>
    </FilterBar>
  );
});

type ToggleProps = { icon: typeof IconStack2; isOn: boolean; onChange: (isOn: boolean) => void; children: string };

function Toggle({ icon: Icon, isOn, onChange, children }: ToggleProps) {
  return (
    <Button
      variant={isOn ? "light" : "default"}
      aria-pressed={isOn}
      leftSection={<Icon size={15} aria-hidden />}
      onClick={() => onChange(!isOn)}
    >
      {children}
    </Button>
  );
}

type ApprovalSearchFieldProps = { placeholder?: string; value: string; onChange: (value: string) => void; field?: Ref<HTMLInputElement> };

/** The search of the inbox and of the history. */
export function ApprovalSearchField(props: ApprovalSearchFieldProps) {
  return <SearchField placeholder="Search calls, agents, requesters" className={filterFields.search} {...props} />;
}

type NameSelectProps = { value: string | null; onChange: (value: string | null) => void };

/** Filter by the name of an agent; the names are read when the list opens. */
export function AgentSelect(props: NameSelectProps) {
  const [isWanted, setIsWanted] = useState(false);
  const { data } = useQuery({ ...agentQueries.list(), enabled: isWanted });
  return <LazyNameFilter label="Agent" placeholder="Any agent" rows={data?.items} onWanted={() => setIsWanted(true)} {...props} />;
}

/** Filter by the name of a tool; the names are read when the list opens. */
export function ToolSelect(props: NameSelectProps) {
  const [isWanted, setIsWanted] = useState(false);
  const { data } = useQuery({ ...toolQueries.list(), enabled: isWanted });
  return <LazyNameFilter label="Tool" placeholder="Any tool" rows={data} onWanted={() => setIsWanted(true)} {...props} />;
}

type LazyNameFilterProps = NameSelectProps & {
  label: string;
  placeholder: string;
  rows: readonly { name: string }[] | undefined;
  onWanted: () => void;
};

function LazyNameFilter({ rows = [], onWanted, ...filter }: LazyNameFilterProps) {
  return <NameFilter {...filter} className={filterFields.choice} names={rows.map(({ name }) => name)} onDropdownOpen={onWanted} />;
}
