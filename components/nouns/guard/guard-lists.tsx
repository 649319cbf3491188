"use client";

import { Button, TagsInput } from "@mantine/core";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { defaultEscalatePatterns } from "@/contracts/browser/tools/surface";
import type { GuardConfig } from "@/contracts/guard/guard";
import type { Tool } from "@/contracts/tools/tools";
import classes from "./detectors/detector-list.module.css";
import { findHostMistake } from "./find-host-mistake";
import { useChangeConfig } from "./use-change-guard";

type GuardListsProps = { config: GuardConfig; tools: readonly Tool[]; refusal: string | null };

/** Denied tools, sensitive paths, sensitive verbs and allowed hosts of a workspace. */
export function GuardLists({ config, tools, refusal }: GuardListsProps) {
  // The key contains the saved entries, so that a change by somebody else resets the field.
  const list = (field: GuardListName) => ({ key: `${field} ${config[field]?.join(" ") ?? ""}`, config, field, refusal });
  return (
    <div className={classes.lists}>
      <EditedList
        {...list("deniedTools")}
        label="Denied tools"
        description="Never offered and never run, even with the guard off. Names, globs (fs__*), or kinds (source:mcp)."
        suggestions={tools.map(({ name }) => name)}
      />
      <EditedList
        {...list("sensitivePaths")}
        label="Sensitive paths"
        description="Calls that touch them need approval. * matches within a folder, ** across folders; a folder covers all in it."
      />
      <EditedList
        {...list("escalatePatterns")}
        label="Sensitive verbs"
        description="A tool with such a word in its name is hidden from models; only the delegate reaches it."
        suggestions={defaultEscalatePatterns}
      />
      <EditedList
        {...list("allowedHosts")}
        label="Allowed hosts"
        description="Hosts that sandboxed programs and url_fetch may reach without asking; host:port of a private address allows that one."
        mistakeIn={findHostMistake}
        inputProps={urlInputProps}
      />
    </div>
  );
}

type GuardListName = "deniedTools" | "sensitivePaths" | "escalatePatterns" | "allowedHosts";

type EditedListProps = {
  config: GuardConfig;
  field: GuardListName;
  label: string;
  description: string;
  suggestions?: readonly string[];
  refusal: string | null;
  /** Returns why the entries cannot be saved; null when they can. */
  mistakeIn?: (entries: readonly string[]) => string | null;
  inputProps?: typeof urlInputProps;
};

const nothing: string[] = [];

function EditedList({ config, field, label, description, suggestions = nothing, refusal, mistakeIn, inputProps }: EditedListProps) {
  const saved = config[field] ?? nothing;
  const [entries, setEntries] = useState<string[]>(saved);
  const { mutate, isPending, error } = useChangeConfig();
  const mistake = mistakeIn?.(entries) ?? null;
  const isChanged = entries.join("\n") !== saved.join("\n");
  return (
    <div className={shared.shrinks}>
      <TagsInput
        label={label}
        description={spellHidden(description)}
        placeholder={entries.length === 0 ? "None" : ""}
        data={[...suggestions]}
        value={entries}
        onChange={setEntries}
        readOnly={refusal !== null}
        splitChars={[",", " "]}
        error={mistake ?? (error ? toErrorSentence(error) : null)}
        {...inputProps}
        clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      />
      <DisabledReason reason={refusal}>
        <div className={classes.save}>
          <Button
            size="compact-sm"
            disabled={refusal !== null || !isChanged || mistake !== null}
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
