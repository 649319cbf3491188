"use client";

import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { relativeTime } from "@/components/kit/ui/text/relative-time-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { JsonObject } from "@/contracts/common";
import type { HookEvent } from "@/contracts/hooks/hook-actions";
import type { HookDraft, HookTrial } from "@/contracts/hooks/hooks";
import classes from "./hook-trial-panel.module.css";
import { outcomeWords } from "./hook-words";
import { hookQueries } from "./queries";

const pauseMs = 400;
const ownExample = "example";

const examples: Record<HookEvent, JsonObject> = {
  before_tool: { path: "report.txt" },
  after_tool: { text: "Call 555-0100 or write to ann@example.com" },
  before_llm: { messages: [{ role: "user", content: "Summarise the report." }] },
  after_llm: { content: "The report says that ..." },
  on_error: { text: "Timed out after 30 seconds.", status: "timed_out" },
};

/** Effect of the unsaved hook on a recorded call or an example; nothing is run, sent or stored. */
export function HookTrialPanel({ draft, event }: { draft: HookDraft | null; event: HookEvent }) {
  const isOfModel = event.endsWith("_llm");
  const [chosen, setChosen] = useState<string | null>(null);
  const [text, setText] = useState<string | null>(null);
  const usesExample = isOfModel || chosen === ownExample;
  const example = text ?? JSON.stringify(examples[event], null, 2);
  const parsed = usesExample ? objectIn(example) : null;
  const asked = { hook: draft, callId: usesExample ? null : chosen, example: parsed };
  const [settled] = useDebouncedValue(JSON.stringify(asked), pauseMs);
  const current = JSON.parse(settled) as typeof asked;
  const isMistaken = usesExample && parsed === null;
  const trial = useQuery({ ...hookQueries.trial(current.hook, current), enabled: current.hook !== null && !isMistaken });
  const candidates = trial.data?.candidates ?? [];

  return (
    <section className={classes.panel} aria-label="Try it out">
      <h3 className={shared.title}>Try it out</h3>
      {isOfModel ? null : (
        <Select
          label="On"
          placeholder="Newest matching call"
          data={[
            ...candidates.map(({ callId, tool, at }) => ({ value: callId, label: `${tool}, ${relativeTime(Date.parse(at), Date.now())}` })),
            { value: ownExample, label: "Your own example" },
          ]}
          value={chosen}
          onChange={setChosen}
          clearable
        />
      )}
      {usesExample ? (
        <AutosizeTextarea
          label="Example"
          description="A JSON object"
          {...codeInputProps}
          rows={[4, 16]}
          value={example}
          onChange={(change) => setText(change.currentTarget.value)}
          error={isMistaken ? "must be a JSON object" : undefined}
        />
      ) : null}
      <div aria-live="polite" className={shared.stack}>
        {draft === null ? (
          <p className={`${shared.note} ${shared.wraps}`}>
            Complete the fields to see the effect of the hook. Nothing is run, sent or stored.
          </p>
        ) : trial.error ? (
          <p className={`${shared.errorText} ${shared.wraps}`}>{toErrorSentence(trial.error)}</p>
        ) : trial.data ? (
          <Trial trial={trial.data} />
        ) : (
          <p className={`${shared.note} ${shared.wraps}`}>Trying the hook…</p>
        )}
      </div>
    </section>
  );
}

function Trial({ trial: { matches, why, step, before, after, sentence } }: { trial: HookTrial }) {
  const isEmpty = Object.keys(before).length === 0 && !matches;
  return (
    <>
      <p className={classes.verdict}>
        {step ? <StatusBadge tone={outcomeWords[step.outcome].tone}>{outcomeWords[step.outcome].word}</StatusBadge> : null}
        <span>
          <RevealedText text={step?.message ?? (matches ? "The hook matches this call" : `The hook does not run here: ${why}`)} />
        </span>
      </p>
      {sentence ? <CodeBlock label="Text for the model" text={sentence} /> : null}
      {isEmpty ? null : <CodeBlock label="Before" text={JSON.stringify(before, null, 2)} />}
      {isEmpty || !step || sentence ? null : <CodeBlock label="After" text={JSON.stringify(after, null, 2)} />}
    </>
  );
}

function objectIn(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
