"use client";

import { Anchor, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { RuleForm } from "./rule-draft";
import classes from "./rule-fields.module.css";
import type { Previewing } from "./use-rule-preview";

type PatternFieldProps = { form: UseFormReturnType<RuleForm>; previewing: Previewing; primaryArgument: string | null; readOnly: boolean };

/** The pattern field; marks a syntax error while the person types. */
export function PatternField({ form, previewing, primaryArgument, readOnly }: PatternFieldProps) {
  // Shows errors only for the current text, not for an earlier one.
  const mistake = previewing.isCurrent ? (previewing.preview?.patternError ?? null) : null;
  const seen = form.values.parameter || primaryArgument || "the arguments";
  return (
    <div>
      <TextInput
        label="Pattern"
        description={
          <>
            Matches anywhere in <RevealedText text={seen} />; ^ anchors the start.{" "}
            <Anchor href="https://github.com/google/re2/wiki/Syntax" target="_blank" rel="noreferrer" size="xs" underline="always">
              RE2 syntax
            </Anchor>
            . Empty matches all
          </>
        }
        placeholder="^(ls|cat)(\s|$)"
        {...codeInputProps}
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
      <RevealedText text={pattern.slice(0, index)} />
      <mark className={classes.mistake}>
        <RevealedText text={pattern.slice(index, index + 1) || " "} />
      </mark>
      <RevealedText text={pattern.slice(index + 1)} />
    </pre>
  );
}
