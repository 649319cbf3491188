"use client";

import { ActionIcon, Button, NumberInput, Select, Textarea } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { AddRowButton } from "@/components/kit/ui/forms/add-row-button";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { type ArgumentField, type ArgumentShape, emptyValue } from "./argument-fields";
import classes from "./call-form.module.css";

type InputProps = {
  /** Path of the value: `edits.0.path`. */
  path: string;
  label: ReactNode;
  /** Accessible name, for screen readers. */
  name: string;
  description: ReactNode;
  error: string | null;
  isRequired: boolean;
  value: Json | undefined;
  /** Undefined leaves the argument out. */
  onChange: (value: Json | undefined) => void;
  /** Reports whether the text at a path is invalid; `false` clears the path and everything below. */
  onMistake: (path: string, isWrong: boolean) => void;
};

/** The control for a value of this shape. A value of another type is written as JSON. */
export function ArgumentInput({ shape, ...input }: InputProps & { shape: ArgumentShape }) {
  switch (fits(shape, input.value) ? shape.kind : "json") {
    case "text":
      return <TextField isLong={shape.kind === "text" && shape.isLong} {...input} />;
    case "number":
      return <NumberField isWhole={shape.kind === "number" && shape.isWhole} {...input} />;
    case "choice":
      return <ChoiceField options={shape.kind === "choice" ? shape.options : []} {...input} />;
    case "list":
      return shape.kind === "list" ? <ListField item={shape.item} {...input} /> : null;
    case "group":
      return shape.kind === "group" ? <GroupField fields={shape.fields} {...input} /> : null;
    case "json":
      return <JsonField {...input} />;
  }
}

function fits(shape: ArgumentShape, value: Json | undefined): boolean {
  if (value === undefined) return true;
  switch (shape.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "choice":
      return shape.options.some((option) => JSON.stringify(option) === JSON.stringify(value));
    case "list":
      return Array.isArray(value);
    case "group":
      return isJsonObject(value);
    case "json":
      return true;
  }
}

function TextField({ isLong, label, description, error, isRequired, value, onChange }: InputProps & { isLong: boolean }) {
  return (
    <Textarea
      label={label}
      description={<RevealedText text={description} />}
      error={error}
      required={isRequired}
      {...codeInputProps}
      autosize
      minRows={isLong ? 3 : 1}
      maxRows={16}
      value={typeof value === "string" ? value : ""}
      // An emptied optional text is left out of the arguments; a required text may be empty.
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" && !isRequired ? undefined : currentTarget.value)}
    />
  );
}

function NumberField({ isWhole, label, description, error, isRequired, value, onChange }: InputProps & { isWhole: boolean }) {
  return (
    <NumberInput
      label={label}
      description={<RevealedText text={description} />}
      error={error}
      required={isRequired}
      className={classes.short}
      allowDecimal={!isWhole}
      value={typeof value === "number" ? value : ""}
      onChange={(typed) => onChange(typed === "" || !Number.isFinite(Number(typed)) ? undefined : Number(typed))}
    />
  );
}

function ChoiceField({ options, label, description, error, isRequired, value, onChange }: InputProps & { options: readonly Json[] }) {
  const written = options.map((option) => (typeof option === "string" ? option : JSON.stringify(option)));
  const place = options.findIndex((option) => JSON.stringify(option) === JSON.stringify(value));
  return (
    <Select
      label={label}
      description={<RevealedText text={description} />}
      error={error}
      required={isRequired}
      className={classes.short}
      placeholder={isRequired ? "Choose" : "Not set"}
      data={written.map((word, index) => ({ value: String(index), label: word || '""' }))}
      value={place === -1 ? null : String(place)}
      onChange={(chosen) => onChange(chosen === null ? undefined : options[Number(chosen)])}
      clearable={!isRequired}
      clearButtonProps={{ "aria-label": "Not set" }}
    />
  );
}

function ListField({ item, path, label, name, description, error, value, onChange, onMistake }: InputProps & { item: ArgumentShape }) {
  const items = Array.isArray(value) ? value : [];
  return (
    <Frame label={label} description={description}>
      {items.map((entry, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place; fields start anew when places move
        <div key={`${place} of ${items.length}`} className={classes.entry}>
          <div className={classes.entryField}>
            <ArgumentInput
              shape={item}
              path={`${path}.${place}`}
              label={`${place + 1}`}
              name={`${name} ${place + 1}`}
              description={null}
              error={null}
              isRequired
              value={entry ?? undefined}
              onChange={(changed) => onChange(items.with(place, changed ?? null))}
              onMistake={onMistake}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name} ${place + 1}`}
            onClick={() => {
              const left = items.toSpliced(place, 1);
              onMistake(path, false);
              onChange(left.length === 0 && description === null ? undefined : left);
            }}
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Mistake text={error} />
      <AddRowButton className={shared.atStart} aria-label={`Add to ${name}`} onClick={() => onChange([...items, emptyValue(item) ?? null])}>
        Add
      </AddRowButton>
    </Frame>
  );
}

/** The frame around the controls of a list or an object. */
function Frame({ label, description, children }: Pick<InputProps, "label" | "description"> & { children: ReactNode }) {
  return (
    <fieldset className={`${shared.stackClose} ${shared.fieldset}`}>
      <legend className={classes.legend}>{label}</legend>
      {description ? (
        <div className={`${shared.small} ${shared.wraps}`}>
          <RevealedText text={description} />
        </div>
      ) : null}
      {children}
    </fieldset>
  );
}

function Mistake({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <p className={classes.error}>
      <RevealedText text={text} />
    </p>
  );
}

type GroupFieldProps = InputProps & { fields: readonly ArgumentField[] };

function GroupField({ fields, path, label, name, description, error, isRequired, value, onChange, onMistake }: GroupFieldProps) {
  const isOpen = value !== undefined || isRequired;
  return (
    <Frame label={label} description={description}>
      <Mistake text={error} />
      {isOpen ? (
        <div className={shared.nested}>
          <ArgumentInputs
            fields={fields}
            within={path}
            args={isJsonObject(value) ? value : {}}
            missing={[]}
            onChange={onChange}
            onMistake={onMistake}
          />
        </div>
      ) : null}
      {isRequired ? null : (
        <Button
          className={shared.atStart}
          variant="default"
          size="compact-sm"
          aria-label={isOpen ? `Leave out ${name}` : `Add ${name}`}
          onClick={() => {
            onMistake(path, false);
            onChange(isOpen ? undefined : emptyValue({ kind: "group", fields: [...fields] }));
          }}
        >
          {isOpen ? "Leave out" : "Add"}
        </Button>
      )}
    </Frame>
  );
}

function JsonField({ path, label, description, error, isRequired, value, onChange, onMistake }: InputProps) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));
  const [isWrong, setIsWrong] = useState(false);
  const write = (typed: string) => {
    setText(typed);
    const parsed = readJson(typed);
    setIsWrong(parsed === "wrong");
    onMistake(path, parsed === "wrong");
    if (parsed !== "wrong") onChange(parsed.value);
  };
  return (
    <Textarea
      label={label}
      description={<RevealedText text={description} />}
      error={isWrong ? "Not valid JSON yet" : error}
      required={isRequired}
      {...codeInputProps}
      placeholder="JSON"
      autosize
      minRows={1}
      maxRows={16}
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}

function readJson(text: string): { value: Json | undefined } | "wrong" {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return "wrong";
  }
}

type ArgumentInputsProps = {
  fields: readonly ArgumentField[];
  /** Path of the group that contains the fields. */
  within: string | null;
  args: JsonObject;
  /** Names of absent required arguments. */
  missing: readonly string[];
  onChange: (args: JsonObject) => void;
  onMistake: (path: string, isWrong: boolean) => void;
};

/** The fields of one object. */
export function ArgumentInputs({ fields, within, args, missing, onChange, onMistake }: ArgumentInputsProps) {
  return fields.map(({ name, shape, isRequired, description, limits }) => {
    const path = within === null ? name : `${within}.${name}`;
    return (
      <ArgumentInput
        key={name}
        shape={shape}
        path={path}
        label={
          <span className={`${classes.name} ${shared.mono}`}>
            <RevealedText text={name} />
          </span>
        }
        name={path}
        description={description || limits.length > 0 ? <FieldWords description={description} limits={limits} /> : null}
        error={missing.includes(name) ? "Required" : null}
        isRequired={isRequired}
        value={Object.hasOwn(args, name) ? args[name] : undefined}
        onChange={(value) => {
          const { [name]: _before, ...others } = args;
          onChange(value === undefined ? others : Object.hasOwn(args, name) ? { ...args, [name]: value } : { ...others, [name]: value });
        }}
        onMistake={onMistake}
      />
    );
  });
}

function FieldWords({ description, limits }: Pick<ArgumentField, "description" | "limits">) {
  return (
    <>
      <RevealedText text={description} />
      {limits.length > 0 ? <span>{(description ? ["", ...limits] : limits).join(" · ")}</span> : null}
    </>
  );
}
