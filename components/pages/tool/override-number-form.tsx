"use client";

import { Button, NumberInput, type NumberInputProps } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { DetailsSection } from "@/components/nouns/tools/details-section";
import type { Tool, ToolPatch } from "@/contracts/tools/tools";
import classes from "./tool-details.module.css";
import { useSaveTool } from "./use-save-tool";

type OverrideNumberFormProps = {
  tool: Tool;
  refusal: string | null;
  title: string;
  note: string;
  /** Returns the tool's number in the unit of the field. */
  numberOf: (tool: Tool) => number;
  /** Returns the change that sets the number; null restores the default. */
  patchOf: (value: number | null) => ToolPatch;
  isOverridden: boolean;
  /** Bounds of an override; the default may be larger. */
  min: number;
  max: number;
  field: Omit<NumberInputProps, "min" | "max" | "value" | "onChange" | "disabled" | "error">;
  /** Message after saving. */
  saved: string;
  /** Label of the button that restores the default. */
  restore: string;
};

/** A number of a tool: the default, or an admin's override. */
export function OverrideNumberForm({ tool, refusal, title, note, numberOf, patchOf, ...props }: OverrideNumberFormProps) {
  const { isOverridden, min, max, field, saved, restore } = props;
  const current = numberOf(tool);
  const [typed, setTyped] = useState<number | string>(current);
  const save = useSaveTool(tool, saved);
  const isUsable = typeof typed === "number" && typed >= min && typed <= max;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isUsable) save.mutate(patchOf(typed));
  };

  return (
    <DetailsSection title={title} note={note} error={null}>
      <form className={classes.number} onSubmit={submit}>
        <DisabledReason reason={refusal}>
          <NumberInput
            className={classes.numberField}
            min={min}
            max={Math.max(max, current)}
            {...field}
            value={typed}
            onChange={setTyped}
            disabled={refusal !== null}
            error={save.isError ? toErrorSentence(save.error) : null}
          />
        </DisabledReason>
        {typed === current ? null : (
          <Button type="submit" loading={save.isPending} disabled={!isUsable}>
            Save
          </Button>
        )}
        {isOverridden && refusal === null && typed === current ? (
          <Button
            variant="default"
            loading={save.isPending}
            onClick={() => save.mutate(patchOf(null), { onSuccess: (restored) => setTyped(numberOf(restored)) })}
          >
            {restore}
          </Button>
        ) : null}
      </form>
    </DetailsSection>
  );
}
