"use client";

import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { call } from "@/components/kit/api/call";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { knowledgeTransformationEndpoints } from "@/contracts/browser/knowledge/knowledge-transformations";
import type { JsonObject } from "@/contracts/common";
import type { Transformation } from "@/contracts/knowledge/knowledge-transformations";
import { EditorForm } from "./editor-form";

type TransformationEditorProps = {
  baseId: string;
  transformation: Transformation | null;
  onSaved: (id: string) => Promise<void>;
  onCancel: () => void;
};

const formats = [
  { value: "markdown", label: "Markdown" },
  { value: "json", label: "JSON" },
];

/** Returns the object that a text spells; null for an empty text. @throws SyntaxError */
function parseSchema(text: string): JsonObject | null {
  if (text.trim() === "") return null;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SyntaxError("no object");
  return value as JsonObject;
}

/** Returns an error of the schema, which stands at its field. */
const errorsOf = (error: Error): Record<string, string> =>
  error instanceof SyntaxError ? { schema: "This is no JSON object. Check its commas and quotes." } : {};

type Fields = Pick<Transformation, "name" | "prompt" | "format" | "appliesToNew"> & { schema: string; pageType: string };

const emptyTransformation: Fields = {
  name: "",
  prompt: "Summarise {title} in five sentences:\n\n{input_text}",
  format: "markdown",
  schema: "",
  appliesToNew: false,
  pageType: "",
};

function toFields(transformation: Transformation | null): Fields {
  if (!transformation) return emptyTransformation;
  const { name, prompt, format, schema, appliesToNew, pageType } = transformation;
  return { name, prompt, format, schema: schema ? JSON.stringify(schema, null, 2) : "", appliesToNew, pageType: pageType ?? "" };
}

/** The prompt of a transformation and what becomes of its output. */
export function TransformationEditor({ baseId, transformation, onSaved, onCancel }: TransformationEditorProps) {
  // Asynchronous, so that a mistake in the schema is a refusal of the form as well.
  const save = async ({ name, schema, pageType, ...rest }: Fields) => {
    const ownSchema = rest.format === "json" ? parseSchema(schema) : null;
    const body = { ...rest, name: name.trim(), schema: ownSchema, pageType: pageType.trim() || null };
    return transformation
      ? call(knowledgeTransformationEndpoints.update, { params: { id: transformation.id }, body }, { version: transformation.version })
      : call(knowledgeTransformationEndpoints.create, { params: { id: baseId }, body });
  };
  return (
    <EditorForm<Fields>
      noun="transformation"
      isNew={transformation === null}
      initialValues={toFields(transformation)}
      isComplete={({ name, prompt }) => name.trim() !== "" && prompt.trim() !== ""}
      save={save}
      errorsOf={errorsOf}
      onSaved={onSaved}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <TextInput label="Name" maxLength={100} {...form.getInputProps("name")} />
          <AutosizeTextarea
            label="Prompt"
            description="{input_text} stands for the text of the source or page, {title} for its name"
            rows={[5, 20]}
            {...form.getInputProps("prompt")}
          />
          <NativeSelect label="Format of the output" data={formats} {...form.getInputProps("format")} />
          {form.values.format === "json" ? (
            <AutosizeTextarea
              {...codeInputProps}
              label="JSON Schema"
              description="The output must fit it; empty for any JSON"
              rows={[3, 16]}
              {...form.getInputProps("schema")}
            />
          ) : null}
          <TextInput
            {...codeInputProps}
            label="Type of pages"
            description="Keeps each output as a page of this type; empty for none"
            placeholder="summary"
            maxLength={40}
            {...form.getInputProps("pageType")}
          />
          <Switch label="Run on each new source" {...form.getInputProps("appliesToNew", { type: "checkbox" })} />
        </>
      )}
    </EditorForm>
  );
}
