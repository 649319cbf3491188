"use client";

import { Select, Tabs } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { useRefusal } from "@/components/kit/session/me";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { ChangesSection } from "./changes-section";
import { EntriesSection } from "./entries-section";
import { FactsSection } from "./facts-section";
import { FilesSection } from "./files-section";
import classes from "./memory.module.css";
import { ownerWord } from "./owner-words";
import { PromptSection } from "./prompt-section";
import { memoryQueries } from "./queries";
import { SearchSection } from "./search-section";

const parts = ["files", "entries", "facts", "prompt", "search", "changes"] as const;
const sections = {
  files: FilesSection,
  entries: EntriesSection,
  facts: FactsSection,
  prompt: PromptSection,
  search: SearchSection,
  changes: ChangesSection,
};
const everybody = "everybody";
const sharedMemory = "shared";

/** The memory of one agent, for one owner or for all. */
export function MemoryPanel({ agentId }: { agentId: string }) {
  const refusal = useRefusal("memory:read");
  if (refusal !== null) {
    return (
      <EmptyState icon={IconLock} title="You cannot see what agents remember">
        Memory is personal, so only people with the right to see it may read it. Ask an admin.
      </EmptyState>
    );
  }
  return <Panel agentId={agentId} />;
}

function Panel({ agentId }: { agentId: string }) {
  const [part, setPart] = useQueryState("part", parseAsStringLiteral(parts).withDefault("files"));
  const [owner, setOwner] = useQueryState("owner", parseAsString.withDefault(everybody));
  const { data } = useQuery(memoryQueries.owners(agentId));
  const facts = useQuery(memoryQueries.contradictions({ agentId, ownerKey: null }));
  useRowKeys("Memory");
  const owners = data?.items ?? [];
  const shown = { agentId, ownerKey: owner === everybody ? null : owner === sharedMemory ? "" : owner };
  const choices = [
    { value: everybody, label: "Everybody" },
    { value: sharedMemory, label: "Shared by all" },
    ...owners.map(({ ownerKey }) => ({ value: ownerKey, label: spellHidden(ownerWord(ownerKey, owners)) })),
  ];
  const listed = choices.some(({ value }) => value === owner) ? choices : [...choices, { value: owner, label: spellHidden(owner) }];
  const open = facts.data?.items.length ?? 0;
  return (
    <div className={classes.panel}>
      <Select
        label="Remembered for"
        w={280}
        data={listed}
        value={owner}
        allowDeselect={false}
        searchable
        onChange={(value) => void setOwner(value === everybody ? null : value)}
      />
      <Tabs value={part} onChange={(value) => void setPart(parts.find((known) => known === value) ?? null)} keepMounted={false}>
        <Tabs.List aria-label="Parts of the memory">
          <Tabs.Tab value="files">Files</Tabs.Tab>
          <Tabs.Tab value="entries">Entries</Tabs.Tab>
          <Tabs.Tab value="facts">{open > 0 ? `Facts (${open} to settle)` : "Facts"}</Tabs.Tab>
          <Tabs.Tab value="prompt">In the prompt</Tabs.Tab>
          <Tabs.Tab value="search">Search and forget</Tabs.Tab>
          <Tabs.Tab value="changes">Upkeep</Tabs.Tab>
        </Tabs.List>
        {parts.map((name) => {
          const Section = sections[name];
          return (
            <Tabs.Panel key={name} value={name} className={classes.panel}>
              <Section shown={shown} owners={owners} />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </div>
  );
}
