"use client";

import { Select } from "@mantine/core";
import { IconPlus, IconSchool } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { FilterBar, filterFields } from "@/components/kit/ui/filters/filter-bar";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import { useDetail } from "@/components/kit/ui/overlays/use-detail";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type Skill, skillStates } from "@/contracts/browser/skills/skills";
import { skillQueries } from "./queries";
import { kindWords, stateWords } from "./skill-words";

const SkillDrawer = dynamic(() => import("./skill-drawer").then((module) => module.SkillDrawer), { ssr: false });
const InstallDrawer = dynamic(() => import("./install-drawer").then((module) => module.InstallDrawer), { ssr: false });

const columns: readonly ListColumn<Skill>[] = [
  {
    heading: "Skill",
    cell: ({ name, description }) => (
      <>
        <RevealedText text={name} />{" "}
        <span className={shared.dim}>
          <RevealedText text={description} />
        </span>
      </>
    ),
  },
  {
    heading: "State",
    width: "10rem",
    cell: ({ state }) => <StatusBadge tone={stateWords[state].tone}>{stateWords[state].word}</StatusBadge>,
  },
  { heading: "Kind", width: "11rem", wideOnly: true, cell: ({ kind }) => kindWords[kind] },
  { heading: "Tools", width: "4.5rem", wideOnly: true, cell: ({ tools }) => tools },
  { heading: "Uses", width: "4.5rem", wideOnly: true, cell: ({ uses }) => uses },
  {
    heading: "Last used",
    width: "7rem",
    wideOnly: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className={shared.dim}>Never</span> : <RelativeTime at={lastUsedAt} />),
  },
];

/** The skills of the workspace, with search, installation and details. */
export function SkillsView() {
  const [query, setQuery] = useQueryState("q", parseAsString.withDefault(""));
  const [state, setState] = useQueryState("state", parseAsStringLiteral(skillStates));
  const skills = useInfiniteQuery(skillQueries.list({ query, state }));
  const isFiltered = query !== "" || state !== null;
  const { id, open, close } = useDetail("skill");
  const [isInstalling, setIsInstalling] = useState(false);
  const refusal = useRefusal("skills:write");
  const install = (
    <RefusableButton refusal={refusal} leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsInstalling(true)}>
      Install skill
    </RefusableButton>
  );
  return (
    <>
      <PageHeader title="Skills" description="Instructions, files and scripts that agents load when a task needs them.">
        {install}
      </PageHeader>
      <FilterBar label="Filter skills">
        <SearchField
          placeholder="Search skills"
          value={query}
          onChange={(text) => void setQuery(text || null)}
          className={filterFields.search}
        />
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          data={skillStates.map((value) => ({ value, label: stateWords[value].word }))}
          value={state}
          onChange={(value) => void setState(skillStates.find((one) => one === value) ?? null)}
        />
      </FilterBar>
      <PagedTable
        query={skills}
        items="skills"
        label="Skills"
        columns={columns}
        hrefOf={(skill) => `/skills?skill=${skill.id}`}
        onOpen={(skill) => open(skill.id)}
        empty={
          <EmptyState icon={IconSchool} title={isFiltered ? "No skill fits" : "No skills yet"}>
            {isFiltered ? "Search for other words, or in any state." : "Install one from a zip, a text or a repository."}
          </EmptyState>
        }
      />
      {id === null ? null : <SkillDrawer key={id} id={id} onClose={close} />}
      {isInstalling ? <InstallDrawer onClose={() => setIsInstalling(false)} /> : null}
    </>
  );
}
