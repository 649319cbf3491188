"use client";

import { Button, TagsInput } from "@mantine/core";
import { useState } from "react";
import { sentenceOf } from "@/components/api/sentence-of";
import { DisabledReason } from "@/components/ui/disabled-reason";
import type { GuardConfig, GuardConfigPatch } from "@/contracts/guard";
import { defaultEscalatePatterns } from "@/contracts/surface";
import type { Tool } from "@/contracts/tools";
import classes from "./detector-list.module.css";
import { useChangeConfig } from "./use-change-guard";

type GuardListsProps = { config: GuardConfig; tools: readonly Tool[]; refusal: string | null };

/** The tools that are never run, the paths that a person is asked about, and the words that put a tool behind core_execute. */
export function GuardLists({ config, tools, refusal }: GuardListsProps) {
  return (
    <div className={classes.lists}>
      <EditedList
        // What somebody else saved meanwhile is what is edited next.
        key={`tools ${config.deniedTools.join(" ")}`}
        config={config}
        field="deniedTools"
        label="Denied tools"
        description="Never offered and never run, even with the guard off. Names, globs (fs__*), or kinds (source:mcp)."
        suggestions={tools.map(({ name }) => name)}
        refusal={refusal}
      />
      <EditedList
        key={`paths ${config.sensitivePaths.join(" ")}`}
        config={config}
        field="sensitivePaths"
        label="Sensitive paths"
        description="Asked about wherever they stand in a call. * stays within a folder, ** goes through folders; a folder covers all in it."
        suggestions={[]}
        refusal={refusal}
      />
      <EditedList
        key={`words ${config.escalatePatterns.join(" ")}`}
        config={config}
        field="escalatePatterns"
        label="Escalate words"
        description="A tool with such a word in its own name is not shown to models and reached through core_execute only."
        suggestions={defaultEscalatePatterns}
        refusal={refusal}
      />
    </div>
  );
}

type EditedListProps = {
  config: GuardConfig;
  field: keyof Pick<GuardConfigPatch, "deniedTools" | "sensitivePaths" | "escalatePatterns">;
  label: string;
  description: string;
  suggestions: readonly string[];
  refusal: string | null;
};

function EditedList({ config, field, label, description, suggestions, refusal }: EditedListProps) {
  const saved = config[field];
  const [entries, setEntries] = useState<string[]>(saved);
  const { mutate, isPending, error } = useChangeConfig();
  const isChanged = entries.join("\n") !== saved.join("\n");
  return (
    <div className={classes.edited}>
      <TagsInput
        label={label}
        description={description}
        placeholder={entries.length === 0 ? "None" : ""}
        data={[...suggestions]}
        value={entries}
        onChange={setEntries}
        readOnly={refusal !== null}
        splitChars={[",", " "]}
        error={error ? sentenceOf(error) : null}
        clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      />
      <DisabledReason reason={refusal}>
        <div className={classes.save}>
          <Button
            size="compact-sm"
            disabled={refusal !== null || !isChanged}
            loading={isPending}
            onClick={() => mutate({ config, patch: { [field]: entries } })}
          >
            Save {label.toLowerCase()}
          </Button>
          {isChanged ? (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setEntries(saved)}>
              Discard
            </Button>
          ) : null}
        </div>
      </DisabledReason>
    </div>
  );
}
