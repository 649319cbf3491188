"use client";

import { Accordion, Autocomplete, Input, SegmentedControl, Select, TextInput } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import type { Verdict } from "@/contracts/decisions/decision";
import type { GuardRule } from "@/contracts/guard/guard";
import type { RuleWarning } from "@/contracts/guard/rule-subjects";
import type { Tool } from "@/contracts/tools/tools";
import { findPrimaryArgument } from "../rule-sentence";
import { describeRulePosition } from "../words/describe-rule-position";
import { ApproverFields } from "./approver-fields";
import { ComparisonFields } from "./comparison-fields";
import { ContextFields } from "./context-fields";
import { parameterChoices } from "./parameter-choices";
import { PatternField } from "./pattern-field";
import { ReachNote } from "./reach-note";
import { RelaxField } from "./relax-field";
import type { RuleForm } from "./rule-draft";
import classes from "./rule-fields.module.css";
import { filledSections, type RuleSection, ruleSections, wrongSections } from "./rule-sections";
import { RuleWarnings } from "./rule-warnings";
import { toolChoices } from "./tool-choices";
import type { Previewing } from "./use-rule-preview";

type RuleFieldsProps = {
  form: UseFormReturnType<RuleForm>;
  tools: readonly Tool[];
  rules: readonly GuardRule[];
  ruleId: string | null;
  previewing: Previewing;
  readOnly: boolean;
};

const verdictChoices: { value: Verdict; label: string }[] = [
  { value: "allow", label: "Allow" },
  { value: "require_approval", label: "Ask a person" },
  { value: "deny", label: "Deny" },
];
const otherwiseChoices: { value: RuleForm["otherwise"]; label: string }[] = [
  { value: "next", label: "Continue with the next rule" },
  { value: "require_approval", label: "Ask a person" },
  { value: "deny", label: "Deny" },
];

/** The fields of a rule, in the order of its sentence. */
export function RuleFields({ form, tools, rules, ruleId, previewing, readOnly }: RuleFieldsProps) {
  const { values } = form;
  const primaryArgument = findPrimaryArgument(values.tool, tools);
  const place = describeRulePosition(values.priority, rules, ruleId);
  const [open, setOpen] = useState<RuleSection[]>(() => filledSections(form.getInitialValues()));
  const reach = previewing.isCurrent ? previewing.preview?.neverReachedBecauseOf : null;
  const { warnings } = previewing;
  const take = ({ tool, pattern, parameter }: NonNullable<RuleWarning["instead"]>) => {
    if (tool !== undefined) form.setFieldValue("tool", tool);
    if (pattern !== undefined) form.setFieldValue("pattern", pattern);
    if (parameter === null) form.setFieldValue("parameter", "");
  };
  const excludeMistake = previewing.isCurrent ? previewing.preview?.excludeError : null;
  return (
    <>
      <Input.Wrapper label="Verdict" labelElement="div">
        <SegmentedControl fullWidth aria-label="Verdict" data={verdictChoices} readOnly={readOnly} {...form.getInputProps("verdict")} />
      </Input.Wrapper>
      <Autocomplete
        label="Tool"
        description="A name, a pattern with *, or a kind such as effect:write"
        {...codeInputProps}
        data={toolChoices(tools)}
        limit={60}
        readOnly={readOnly}
        {...(form.getInitialValues().tool === "" ? { "data-autofocus": true } : {})}
        {...form.getInputProps("tool")}
      />
      {reach ? <ReachNote form={form} because={reach} rules={rules} readOnly={readOnly} /> : null}
      <RuleWarnings warnings={warnings.filter(({ field }) => field === "tool")} onTake={readOnly ? null : take} />
      <PatternField form={form} previewing={previewing} primaryArgument={primaryArgument} readOnly={readOnly} />
      <RuleWarnings warnings={warnings.filter(({ field }) => field === "pattern")} onTake={readOnly ? null : take} />
      {ruleId === null && (values.pattern !== "" || values.excludePattern !== "" || values.comparisons.length > 0) ? (
        <Select
          label="Other calls of this tool"
          description={values.otherwise === "next" ? undefined : "Adds a second rule after this one."}
          data={otherwiseChoices}
          allowDeselect={false}
          {...form.getInputProps("otherwise")}
        />
      ) : null}
      <TextInput label="Name" readOnly={readOnly} maxLength={120} {...form.getInputProps("name")} />
      <Accordion
        multiple
        order={3}
        variant="default"
        chevronPosition="left"
        value={[...new Set([...open, ...wrongSections(form.errors)])]}
        onChange={(sections) => setOpen(ruleSections.filter((section) => sections.includes(section)))}
        classNames={{ content: classes.section, control: classes.sectionControl }}
      >
        <Accordion.Item value="arguments">
          <Accordion.Control>More about the arguments</Accordion.Control>
          <Accordion.Panel>
            <ArgumentFields form={form} tools={tools} excludeMistake={excludeMistake?.message} readOnly={readOnly} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="context">
          <Accordion.Control>Conditions</Accordion.Control>
          <Accordion.Panel>
            <ContextFields form={form} readOnly={readOnly} />
            <ExpiryField form={form} readOnly={readOnly} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="relaxes">
          <Accordion.Control>Relaxed detectors</Accordion.Control>
          <Accordion.Panel>
            <RelaxField form={form} readOnly={readOnly} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="approvers">
          <Accordion.Control>Approvers</Accordion.Control>
          <Accordion.Panel>
            <ApproverFields form={form} readOnly={readOnly} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="order">
          <Accordion.Control>Reason and order</Accordion.Control>
          <Accordion.Panel>
            <ReasonFields form={form} place={place} readOnly={readOnly} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}

type SectionProps = Pick<RuleFieldsProps, "form" | "readOnly">;

function ArgumentFields({
  form,
  tools,
  excludeMistake,
  readOnly,
}: SectionProps & { tools: readonly Tool[]; excludeMistake: string | undefined }) {
  const primaryArgument = findPrimaryArgument(form.values.tool, tools);
  const parameters = parameterChoices(form.values.tool, tools);
  return (
    <>
      <Autocomplete
        label="Parameter"
        description={
          primaryArgument
            ? `The argument to match. Empty: ${primaryArgument}`
            : "The argument to match. Empty: the tool's main one, or all arguments as JSON"
        }
        {...codeInputProps}
        data={parameters}
        readOnly={readOnly}
        {...form.getInputProps("parameter")}
      />
      <TextInput
        label="Except when it matches"
        description="RE2 syntax; the exception must match every part of a command"
        {...codeInputProps}
        readOnly={readOnly}
        {...form.getInputProps("excludePattern")}
        error={excludeMistake ?? form.errors.excludePattern}
      />
      <ComparisonFields form={form} choices={parameters} readOnly={readOnly} />
    </>
  );
}

function ExpiryField({ form, readOnly }: SectionProps) {
  const { expiresAt } = form.values;
  return (
    <DateTimePicker
      label="Ends"
      description="The rule is skipped after this time"
      inputWrapperOrder={["label", "input", "description", "error"]}
      placeholder="Never"
      clearable
      readOnly={readOnly}
      popoverProps={{ withinPortal: true }}
      value={expiresAt ? localTime(expiresAt) : null}
      onChange={(value) => form.setFieldValue("expiresAt", value ? new Date(value.replace(" ", "T")).toISOString() : null)}
    />
  );
}

function ReasonFields({ form, place, readOnly }: SectionProps & { place: string }) {
  return (
    <>
      <AutosizeTextarea
        label="Reason"
        description="Shown to the approver, and to the model when the call is denied"
        rows={[2, 5]}
        maxLength={500}
        readOnly={readOnly}
        {...form.getInputProps("reason")}
      />
      <IntegerInput
        label="Priority"
        description={`Higher first. ${place}`}
        inputWrapperOrder={["label", "input", "description", "error"]}
        range={[-1_000_000, 1_000_000]}
        readOnly={readOnly}
        {...form.getInputProps("priority")}
      />
    </>
  );
}

/** Formats a moment as the picker's local time: "2026-03-01 18:00:00". */
function localTime(at: string): string {
  const time = new Date(at);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}
