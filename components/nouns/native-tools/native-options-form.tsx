"use client";

import { Select, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { fieldErrors } from "@/components/kit/api/field-errors";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { DetailsSection } from "@/components/nouns/tools/details-section";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { NativeToolOptionsPatch } from "@/contracts/browser/tools/native-tool-options";
import {
  imageActions,
  imageBackgrounds,
  imageFormats,
  imageQualities,
  type NativeToolSettings,
  nativeToolOptionsEndpoints,
  searchContextSizes,
} from "@/contracts/browser/tools/native-tool-options";
import classes from "./native-options.module.css";
import { nativeToolQueries } from "./queries";

type ToolName = keyof NativeToolSettings["options"];
type Field =
  | { name: string; label: string; kind: "choice"; values: readonly string[] }
  | { name: string; label: string; kind: "text"; placeholder: string; description: string }
  | { name: string; label: string; kind: "number"; min: number; max: number; description: string };

const fieldsOf: Readonly<Record<ToolName, readonly Field[]>> = {
  provider_image_generation: [
    { name: "output_format", label: "Format", kind: "choice", values: imageFormats },
    { name: "size", label: "Size", kind: "text", placeholder: "1024x1024", description: "auto, or width x height of 64 to 4096 pixels" },
    { name: "quality", label: "Quality", kind: "choice", values: imageQualities },
    { name: "background", label: "Background", kind: "choice", values: imageBackgrounds },
    { name: "action", label: "Action", kind: "choice", values: imageActions },
  ],
  provider_web_search: [
    { name: "search_context_size", label: "Context of results (OpenAI)", kind: "choice", values: searchContextSizes },
    { name: "max_uses", label: "Searches a reply (Anthropic)", kind: "number", min: 1, max: 20, description: "1 to 20" },
  ],
};

/** Options with which a provider's own tool is advertised; nothing for a tool without options. */
export function NativeOptionsForm({ tool, refusal }: { tool: string; refusal: string | null }) {
  const { data } = useQuery(nativeToolQueries.options());
  if (!Object.hasOwn(fieldsOf, tool)) return null;
  if (!data) return <RowSkeletons rows={3} height={3.5} what="the options" />;
  return <OptionsForm key={data.version} tool={tool as ToolName} settings={data} refusal={refusal} />;
}

type Values = Record<string, string | number | null>;

function OptionsForm({ tool, settings, refusal }: { tool: ToolName; settings: NativeToolSettings; refusal: string | null }) {
  const stored = settings.options[tool] as Values;
  const [values, setValues] = useState<Values>(stored);
  const client = useQueryClient();
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (options: Values) =>
      call(nativeToolOptionsEndpoints.update, { body: { [tool]: options } as NativeToolOptionsPatch }, { version: settings.version }),
    onSuccess: async (saved) => {
      client.setQueryData(nativeToolQueries.options().queryKey, saved);
      notifications.show({ message: "The next request has the new options" });
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  const errors = fieldErrors(save.error, (path) => path.split(".").at(-1) ?? path);
  const fields = fieldsOf[tool];
  const isChanged = fields.some(({ name }) => (values[name] ?? null) !== (stored[name] ?? null));
  const set = (name: string, value: string | number | null) => setValues((before) => ({ ...before, [name]: value === "" ? null : value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])));
  };
  return (
    <DetailsSection
      title="Options"
      note="Sent with the tool. Empty: the provider's default"
      error={Object.keys(errors).length > 0 ? null : save.error}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        {fields.map((field) => (
          <OptionField
            key={field.name}
            field={field}
            value={values[field.name] ?? null}
            error={errors[field.name]}
            isLocked={refusal !== null}
            onChange={(value) => set(field.name, value)}
          />
        ))}
        <div className={classes.buttons}>
          <RefusableButton
            refusal={refusal}
            variant="default"
            disabled={save.isPending || Object.keys(stored).length === 0}
            onClick={() => save.mutate({})}
          >
            Remove all
          </RefusableButton>
          <RefusableButton refusal={refusal} type="submit" loading={save.isPending} disabled={!isChanged}>
            Save options
          </RefusableButton>
        </div>
      </form>
    </DetailsSection>
  );
}

type OptionFieldProps = {
  field: Field;
  value: string | number | null;
  error: string | undefined;
  isLocked: boolean;
  onChange: (value: string | number | null) => void;
};

function OptionField({ field, value, error, isLocked, onChange }: OptionFieldProps) {
  const shared = { label: field.label, disabled: isLocked, error };
  switch (field.kind) {
    case "choice":
      return (
        <Select
          {...shared}
          data={[...field.values]}
          value={value === null ? null : String(value)}
          onChange={onChange}
          placeholder="Default"
          clearable
          clearButtonProps={{ "aria-label": `No ${field.label.toLowerCase()}` }}
        />
      );
    case "text":
      return (
        <TextInput
          {...shared}
          description={spellHidden(field.description)}
          placeholder={field.placeholder}
          value={value === null ? "" : String(value)}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      );
    case "number":
      return (
        <IntegerInput
          {...shared}
          description={spellHidden(field.description)}
          range={[field.min, field.max]}
          value={value ?? ""}
          onChange={onChange}
        />
      );
  }
}
