"use client";

import { ActionIcon, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { AddRowButton } from "@/components/kit/ui/forms/add-row-button";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import fields from "@/components/kit/ui/forms/fields.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { errorsByName } from "./form-errors";
import classes from "./key-value-field.module.css";
import { type KeyValue, keyValue } from "./server-draft";

type KeyValueRowsProps = {
  label: string;
  description: string;
  /** Word for a row: "variable", "header". */
  what: string;
  rows: readonly KeyValue[];
  onChange: (rows: KeyValue[]) => void;
  /** Errors by row name. */
  errors: Record<string, string>;
};

const masked = /^.{0,2}\*\*\*$/s;

/** Fields for names with values. A stored secret shows only its beginning; the saved value stays unless the person types over the mask. */
function KeyValueRows({ label, description, what, rows, onChange, errors }: KeyValueRowsProps) {
  const change = (key: string, changed: Partial<KeyValue>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  return (
    <fieldset className={shared.fieldset}>
      <legend className={fields.label}>{label}</legend>
      <p className={shared.hint}>
        <RevealedText text={description} />
      </p>
      {rows.map(({ key, name, value }, place) => (
        <div key={key} className={classes.pair}>
          <TextInput
            aria-label={`Name of ${what} ${place + 1}`}
            placeholder="NAME"
            {...codeInputProps}
            value={name}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
            error={Boolean(errors[name])}
          />
          <TextInput
            aria-label={`Value of ${name || `${what} ${place + 1}`}`}
            placeholder="value, or $env:NAME"
            {...codeInputProps}
            value={value}
            onFocus={(event) => {
              // Selects the whole mask, because editing a part of it would send neither the old nor a new secret.
              if (masked.test(value)) event.currentTarget.select();
            }}
            onChange={(event) => change(key, { value: event.currentTarget.value })}
            description={masked.test(value) ? "Stored. Type over it to replace it." : null}
            inputWrapperOrder={["label", "input", "description", "error"]}
            error={errors[name]}
          />
          <ActionIcon
            size="lg"
            aria-label={`Remove ${name || `${what} ${place + 1}`}`}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <AddRowButton onClick={() => onChange([...rows, keyValue()])}>Add a {what}</AddRowButton>
    </fieldset>
  );
}

type KeyValueForm<Name extends string> = {
  values: Record<Name, readonly KeyValue[]>;
  errors: Record<string, ReactNode>;
  setFieldValue: (path: Name, rows: KeyValue[]) => void;
};
type KeyValueFieldProps<Name extends string> = Pick<KeyValueRowsProps, "label" | "description" | "what"> & {
  form: KeyValueForm<Name>;
  field: Name;
};

/** Names with values as a field of a form. */
export function KeyValueField<Name extends string>({ form, field, ...words }: KeyValueFieldProps<Name>) {
  return (
    <KeyValueRows
      {...words}
      rows={form.values[field]}
      onChange={(rows) => form.setFieldValue(field, rows)}
      errors={errorsByName(form.errors, `${field}.`)}
    />
  );
}
