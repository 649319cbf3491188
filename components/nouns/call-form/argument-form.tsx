"use client";

import { JsonInput, SegmentedControl } from "@mantine/core";
import { type Dispatch, type SetStateAction, useId, useMemo, useState } from "react";
import { FoldButton } from "@/components/kit/ui/fold-button";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import type { Tool } from "@/contracts/tools/tools";
import { type ArgumentDraft, inView, parseArguments } from "./argument-draft";
import { argumentFields, unknownFields } from "./argument-fields";
import { ArgumentInputs } from "./argument-input";

const views = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
];

type ArgumentFormProps = {
  /** Null for an unknown tool: its arguments are written as JSON. */
  tool: Pick<Tool, "inputSchema"> | null;
  draft: ArgumentDraft;
  onChange: Dispatch<SetStateAction<ArgumentDraft>>;
  /** Names of absent required arguments. */
  missing?: readonly string[];
};

/** Form for a call's arguments: fields from the tool's schema, or JSON. */
export function ArgumentForm({ tool, draft, onChange, missing = [] }: ArgumentFormProps) {
  const headingId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const fields = useMemo(() => (tool ? argumentFields(tool.inputSchema) : []), [tool]);
  const view = tool ? draft.view : "json";
  const isObject = parseArguments(draft.text) !== null;
  const all = [...fields, ...unknownFields(fields, draft.args)];
  // Optional fields without a value stay folded until the person opens them.
  const shown = isOpen
    ? all
    : all.filter(
        ({ name, isRequired }) => isRequired || Object.hasOwn(draft.args, name) || draft.mistakes.some((path) => isWithin(path, name)),
      );
  const folded = all.length - shown.length;

  return (
    <section className={shared.stack} aria-labelledby={headingId}>
      <div className={shared.spread}>
        <span className={shared.subtitle} id={headingId}>
          Arguments
        </span>
        {tool ? (
          <SegmentedControl
            size="xs"
            aria-label="View of the arguments"
            data={views}
            value={view}
            disabled={view === "json" && !isObject}
            onChange={(wanted) => onChange((before) => inView(before, wanted === "json" ? "json" : "form"))}
          />
        ) : null}
      </div>
      {view === "json" ? (
        <JsonInput
          aria-label="Arguments as JSON"
          {...codeInputProps}
          autosize
          minRows={6}
          maxRows={20}
          value={draft.text}
          onChange={(text) => onChange((before) => ({ ...before, view: "json", text }))}
          error={isObject ? undefined : "Not a JSON object yet"}
        />
      ) : all.length === 0 ? (
        <p className={shared.note}>This tool takes no arguments.</p>
      ) : (
        <>
          <ArgumentInputs
            fields={shown}
            within={null}
            args={draft.args}
            missing={missing}
            onChange={(args) => onChange((before) => ({ ...before, args }))}
            onMistake={(path, isWrong) =>
              onChange((before) => ({
                ...before,
                mistakes: [...before.mistakes.filter((known) => !isWithin(known, path)), ...(isWrong ? [path] : [])],
              }))
            }
          />
          {folded > 0 || isOpen ? (
            <FoldButton isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} className={shared.atStart}>
              {isOpen ? "Hide unused options" : `${folded} optional ${folded === 1 ? "argument" : "arguments"}`}
            </FoldButton>
          ) : null}
        </>
      )}
    </section>
  );
}

const isWithin = (path: string, group: string): boolean => path === group || path.startsWith(`${group}.`);
