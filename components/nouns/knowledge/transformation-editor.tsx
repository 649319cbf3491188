"use client";

import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
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

/** Returns the object that a text spells; null for an empty text. @throws SyntaxError */
function parseSchema(text: string): JsonObject | null {
  if (text.trim() === "") return null;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SyntaxError("no object");
  return value as JsonObject;
}

/** The prompt of a transformation and what becomes of its output. */
export function TransformationEditor({ baseId, transformation, onSaved, onCancel }: TransformationEditorProps) {
  const [name, setName] = useState(transformation?.name ?? "");
  const [prompt, setPrompt] = useState(transformation?.prompt ?? "Summarise {title} in five sentences:\n\n{input_text}");
  const [format, setFormat] = useState(transformation?.format ?? "markdown");
  const [schema, setSchema] = useState(transformation?.schema ? JSON.stringify(transformation.schema, null, 2) : "");
  const [appliesToNew, setAppliesToNew] = useState(transformation?.appliesToNew ?? false);
  const [pageType, setPageType] = useState(transformation?.pageType ?? "");
  const saving = useMutation({
    meta: { showsError: true },
    mutationFn: () => {
      const ownSchema = format === "json" ? parseSchema(schema) : null;
      const body = { name: name.trim(), prompt, format, schema: ownSchema, appliesToNew, pageType: pageType.trim() || null };
      return transformation
        ? call(knowledgeTransformationEndpoints.update, { params: { id: transformation.id }, body }, { version: transformation.version })
        : call(knowledgeTransformationEndpoints.create, { params: { id: baseId }, body });
    },
    onSuccess: ({ id }) => onSaved(id),
  });
  const isBadSchema = saving.error instanceof SyntaxError;
  return (
    <EditorForm
      noun="transformation"
      isNew={transformation === null}
      isComplete={name.trim() !== "" && prompt.trim() !== ""}
      saving={saving}
      error={isBadSchema ? null : saving.error}
      onCancel={onCancel}
    >
      <TextInput label="Name" value={name} maxLength={100} onChange={(event) => setName(event.currentTarget.value)} />
      <AutosizeTextarea
        label="Prompt"
        description="{input_text} stands for the text of the source or page, {title} for its name"
        rows={[5, 20]}
        value={prompt}
        onChange={(event) => setPrompt(event.currentTarget.value)}
      />
      <NativeSelect
        label="Format of the output"
        data={[
          { value: "markdown", label: "Markdown" },
          { value: "json", label: "JSON" },
        ]}
        value={format}
        onChange={(event) => setFormat(event.currentTarget.value === "json" ? "json" : "markdown")}
      />
      {format === "json" ? (
        <AutosizeTextarea
          {...codeInputProps}
          label="JSON Schema"
          description="The output must fit it; empty for any JSON"
          rows={[3, 16]}
          value={schema}
          error={isBadSchema ? "This is no JSON object. Check its commas and quotes." : null}
          onChange={(event) => setSchema(event.currentTarget.value)}
        />
      ) : null}
      <TextInput
        {...codeInputProps}
        label="Type of pages"
        description="Keeps each output as a page of this type; empty for none"
        placeholder="summary"
        maxLength={40}
        value={pageType}
        onChange={(event) => setPageType(event.currentTarget.value)}
      />
      <Switch label="Run on each new source" checked={appliesToNew} onChange={(event) => setAppliesToNew(event.currentTarget.checked)} />
    </EditorForm>
  );
}
