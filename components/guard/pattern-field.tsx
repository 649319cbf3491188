"use client";

import { Anchor, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { machineTyping } from "@/components/ui/machine-typing";
import type { RuleForm } from "./rule-draft";
import classes from "./rule-fields.module.css";
import type { Previewing } from "./use-rule-preview";

type PatternFieldProps = { form: UseFormReturnType<RuleForm>; previewing: Previewing; primaryArgument: string | null; readOnly: boolean };

/** The pattern; what is wrong with it is said while it is typed, and marked where it stands. */
export function PatternField({ form, previewing, primaryArgument, readOnly }: PatternFieldProps) {
  // The answer to what stands in the field now, not to what stood there a moment ago.
  const mistake = previewing.isCurrent ? (previewing.preview?.patternError ?? null) : null;
  const seen = form.values.parameter || primaryArgument || "the arguments";
  return (
    <div>
      <TextInput
        label="Pattern"
        description={
          <>
            Found anywhere in {seen}; ^ ties it to the beginning.{" "}
            <Anchor href="https://github.com/google/re2/wiki/Syntax" target="_blank" rel="noreferrer" size="xs" underline="always">
              RE2 syntax
            </Anchor>
            . Empty: every call
          </>
        }
        placeholder="^(ls|cat)(\s|$)"
        {...machineTyping}
        readOnly={readOnly}
        spellCheck={false}
        autoCapitalize="off"
        {...form.getInputProps("pattern")}
        error={mistake ? mistake.message : form.errors.pattern}
      />
      {mistake && mistake.index !== null ? <MarkedPattern pattern={form.values.pattern} index={mistake.index} /> : null}
    </div>
  );
}

function MarkedPattern({ pattern, index }: { pattern: string; index: number }) {
  return (
    <pre className={classes.patternError} aria-hidden>
      {pattern.slice(0, index)}
      <mark className={classes.mistake}>{pattern.slice(index, index + 1) || " "}</mark>
      {pattern.slice(index + 1)}
    </pre>
  );
}
