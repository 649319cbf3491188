"use client";

import { NumberInput, Select, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps, urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type HookActionType, hookCacheScopes } from "@/contracts/browser/hooks/hook-actions";
import { maxHookMs, maxJudgeMs } from "@/contracts/browser/hooks/hooks";
import type { HookForm } from "./hook-form";

type FieldsProps = { form: UseFormReturnType<HookForm>; readOnly: boolean };
type ActionFieldsProps = FieldsProps & { agents: { value: string; label: string }[] };

const scopeWords: Record<(typeof hookCacheScopes)[number], string> = {
  conversation: "One conversation",
  agent: "All conversations of an agent",
  workspace: "The whole workspace",
};

/** The options of the chosen action. */
export function ActionFields({ form, readOnly, agents }: ActionFieldsProps) {
  const { action } = form.values;
  if (action === "judge") return <JudgeFields form={form} readOnly={readOnly} agents={agents} />;
  const Fields = fieldsOfAction[action];
  return Fields ? <Fields form={form} readOnly={readOnly} /> : null;
}

const fieldsOfAction: Record<Exclude<HookActionType, "judge">, ((props: FieldsProps) => ReactNode) | null> = {
  redact: RedactFields,
  mask: MaskFields,
  set: ValueFields,
  inject: ValueFields,
  validate: ValidateFields,
  deny: DenyFields,
  filter: FilterFields,
  truncate: TruncateFields,
  audit: AuditFields,
  webhook: WebhookFields,
  cache: CacheFields,
  count_tokens: null,
  fall_back: FallBackFields,
};

function PatternField({ form, readOnly }: FieldsProps) {
  const field = (
    <TextInput
      label="Pattern"
      description="RE2 syntax, found anywhere in the text"
      placeholder="\b\d{4}( ?\d{4}){3}\b"
      readOnly={readOnly}
      {...codeInputProps}
      {...form.getInputProps("pattern")}
    />
  );
  return <RevealedText text={field} />;
}

function PlaceField({ form, readOnly, description }: FieldsProps & { description: string }) {
  return (
    <TextInput
      label="Place"
      description={spellHidden(description)}
      placeholder="/text"
      readOnly={readOnly}
      {...codeInputProps}
      {...form.getInputProps("pointer")}
    />
  );
}

function RedactFields({ form, readOnly }: FieldsProps) {
  return (
    <>
      <PatternField form={form} readOnly={readOnly} />
      <TextInput label="Replacement" readOnly={readOnly} {...codeInputProps} {...form.getInputProps("replacement")} />
      <PlaceField form={form} readOnly={readOnly} description="JSON pointer, * for every element; empty: every text" />
    </>
  );
}

function MaskFields({ form, readOnly }: FieldsProps) {
  return (
    <AutosizeTextarea
      label="Fields"
      description="Field names at any depth, or JSON pointers such as /list/*/name, one per line"
      placeholder={"email\n/customer/phone"}
      rows={[2]}
      readOnly={readOnly}
      {...codeInputProps}
      {...form.getInputProps("fields")}
    />
  );
}

function ValueFields({ form, readOnly }: FieldsProps) {
  return (
    <>
      <PlaceField form={form} readOnly={readOnly} description="JSON pointer; /messages/- appends to a list, /messages/0 puts in front" />
      <AutosizeTextarea
        label="Value"
        description="JSON, or a text as it is"
        placeholder="acme"
        rows={[1, 12]}
        readOnly={readOnly}
        {...codeInputProps}
        {...form.getInputProps("value")}
      />
    </>
  );
}

function ValidateFields({ form, readOnly }: FieldsProps) {
  return (
    <>
      <PlaceField form={form} readOnly={readOnly} description="JSON pointer to the checked value, * for every element; empty: everything" />
      <PatternField form={form} readOnly={readOnly} />
      <AutosizeTextarea
        label="JSON schema"
        description="Instead of the pattern, or beside it"
        placeholder={'{ "maxLength": 200 }'}
        rows={[2, 14]}
        readOnly={readOnly}
        {...codeInputProps}
        {...form.getInputProps("schema")}
      />
      <TextInput label="Correct input" description="A sentence for the model" readOnly={readOnly} {...form.getInputProps("message")} />
    </>
  );
}

function DenyFields({ form, readOnly }: FieldsProps) {
  return (
    <TextInput label="Reason" description="The model reads it" readOnly={readOnly} maxLength={500} {...form.getInputProps("reason")} />
  );
}

function FilterFields({ form, readOnly }: FieldsProps) {
  return (
    <>
      <AutosizeTextarea
        label="Keep only these fields"
        description="One per line; empty: all"
        rows={[1]}
        readOnly={readOnly}
        {...codeInputProps}
        {...form.getInputProps("keep")}
      />
      <AutosizeTextarea
        label="Drop these fields"
        description="Field names at any depth, one per line"
        rows={[1]}
        readOnly={readOnly}
        {...codeInputProps}
        {...form.getInputProps("drop")}
      />
      <TextInput
        label="Lines that match"
        description="RE2 syntax; empty: lines stay as they are"
        readOnly={readOnly}
        {...codeInputProps}
        {...form.getInputProps("linePattern")}
      />
      <Switch
        label="Matching lines stay, others are dropped"
        disabled={readOnly || form.values.linePattern === ""}
        {...form.getInputProps("keepsLines", { type: "checkbox" })}
      />
    </>
  );
}

function TruncateFields({ form, readOnly }: FieldsProps) {
  return (
    <>
      <NumberInput
        label="Characters"
        description="Longer texts are cut"
        min={1}
        max={1_000_000}
        readOnly={readOnly}
        {...form.getInputProps("maxChars")}
      />
      <PlaceField form={form} readOnly={readOnly} description="JSON pointer, * for every element; empty: every text" />
    </>
  );
}

function AuditFields({ form, readOnly }: FieldsProps) {
  return (
    <>
      <TextInput label="Note" readOnly={readOnly} maxLength={500} {...form.getInputProps("note")} />
      <AutosizeTextarea
        label="Fields"
        description="JSON pointers to the fields of the row, one per line; secrets are masked"
        placeholder="/path"
        rows={[2]}
        readOnly={readOnly}
        {...codeInputProps}
        {...form.getInputProps("fields")}
      />
    </>
  );
}

function WebhookFields({ form, readOnly }: FieldsProps) {
  return (
    <>
      <TextInput
        label="URL"
        description="Signed with the callback secret of the workspace (see Webhooks)"
        placeholder="https://example.com/hooks/handrail"
        readOnly={readOnly}
        {...urlInputProps}
        {...form.getInputProps("url")}
      />
      {form.values.event.startsWith("before_") ? (
        <Switch
          label="The answer decides"
          description="The program answers { allow, reason }, and may change the arguments"
          disabled={readOnly}
          {...form.getInputProps("decides", { type: "checkbox" })}
        />
      ) : null}
    </>
  );
}

function CacheFields({ form, readOnly }: FieldsProps) {
  return (
    <>
      <NumberInput
        label="Seconds"
        description="Lifetime of an answer"
        min={1}
        max={86_400}
        readOnly={readOnly}
        {...form.getInputProps("ttlSeconds")}
      />
      <Select
        label="Shared within"
        description="Only reads are kept; tools that see files or a shell share within a conversation at most"
        data={hookCacheScopes.map((scope) => ({ value: scope, label: scopeWords[scope] }))}
        allowDeselect={false}
        disabled={readOnly}
        {...form.getInputProps("scope")}
      />
    </>
  );
}

function FallBackFields({ form, readOnly }: FieldsProps) {
  return (
    <AutosizeTextarea
      label="Result"
      description="A text, or a JSON object, in place of the error"
      rows={[2, 14]}
      readOnly={readOnly}
      {...codeInputProps}
      {...form.getInputProps("result")}
    />
  );
}

function JudgeFields({ form, readOnly, agents }: ActionFieldsProps) {
  return (
    <>
      <Select
        label="Agent that judges"
        description="Its model sees the call, with its instructions and no tools. Without a judge, every matching call is refused"
        placeholder="None: a program judges"
        data={agents}
        clearable
        disabled={readOnly}
        {...form.getInputProps("judgeAgentId")}
        value={form.values.judgeAgentId || null}
        onChange={(id) => {
          form.setFieldValue("judgeAgentId", id ?? "");
          form.setFieldValue("timeoutMs", id ? maxJudgeMs : maxHookMs);
        }}
      />
      {form.values.judgeAgentId ? null : (
        <TextInput
          label="URL of a program that judges"
          description="Answers { allow, reason }"
          placeholder="https://example.com/judge"
          readOnly={readOnly}
          {...urlInputProps}
          {...form.getInputProps("url")}
        />
      )}
      <AutosizeTextarea
        label="Instructions"
        description="Criteria of the judge"
        rows={[2, 10]}
        readOnly={readOnly}
        {...form.getInputProps("instructions")}
      />
    </>
  );
}
