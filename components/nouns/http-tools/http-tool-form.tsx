"use client";

import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps, urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import { KeyValueField } from "@/components/nouns/mcp-servers/key-value-field";
import { toolQueries } from "@/components/nouns/tools/queries";
import { TierField } from "@/components/nouns/tools/tier-field";
import { type HttpTool, httpBodyTypes, httpMethods, httpToolEndpoints } from "@/contracts/browser/tools/http-tools";
import { HttpToolDraft } from "@/contracts/tools/http-tools";
import { AuthProfileSelect } from "./auth-profile-select";
import { emptyHttpTool, type HttpToolFields, toHttpToolDraft, toHttpToolFields } from "./http-tool-fields";
import classes from "./http-tools.module.css";
import { httpToolQueries } from "./queries";

type HttpToolFormProps = { tool: HttpTool | null; onSaved: (name: string) => void; onCancel: () => void };

const effects = [
  { value: "", label: "By the method" },
  { value: "read", label: "Reads" },
  { value: "write", label: "Writes" },
  { value: "destroy", label: "Destroys" },
];

/** Definition of an HTTP tool: what the model reads, and the request that a call sends. */
export function HttpToolForm({ tool, onSaved, onCancel }: HttpToolFormProps) {
  const client = useQueryClient();
  const save = async (body: HttpToolDraft) => {
    const saved = tool
      ? await call(httpToolEndpoints.update, { params: { id: tool.id }, body }, { version: tool.version })
      : await call(httpToolEndpoints.create, { body });
    await Promise.all(
      [toolQueries.all(), httpToolQueries.one(saved.name).queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
    return saved;
  };
  return (
    <ResourceForm
      submit={tool ? "Save" : "Add tool"}
      initialValues={tool ? toHttpToolFields(tool) : emptyHttpTool}
      parse={(fields) => parseFields(fields, tool)}
      fieldOf={fieldOf}
      save={save}
      onSaved={({ name }) => onSaved(name)}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            description={tool ? "Rules and agents name the tool, so the name stays." : "The model calls the tool by this name."}
            placeholder="get_weather"
            {...codeInputProps}
            data-autofocus
            disabled={tool !== null}
            {...form.getInputProps("name")}
          />
          <AutosizeTextarea
            label="Description"
            description="The model reads it to choose the tool."
            rows={[2, 8]}
            {...form.getInputProps("description")}
          />
          <RequestFields form={form} />
          <AutosizeTextarea
            label="Arguments"
            description="JSON Schema. Empty: a text argument for each placeholder."
            placeholder={'{ "type": "object", "properties": { "city": { "type": "string" } } }'}
            {...codeInputProps}
            rows={[3, 16]}
            {...form.getInputProps("inputSchema")}
          />
          <NativeSelect
            label="Effect"
            description="The guard decides by it: reading passes, writing asks unless the host is allowed, destroying asks."
            data={effects}
            {...form.getInputProps("effect")}
          />
          {tool ? null : <TierField {...form.getInputProps("tier")} />}
          <NumberInput label="Timeout" suffix=" s" min={1} max={300} {...form.getInputProps("timeoutSeconds")} />
        </>
      )}
    </ResourceForm>
  );
}

/** The request that a call sends. */
function RequestFields({ form }: { form: UseFormReturnType<HttpToolFields> }) {
  return (
    <>
      <div className={classes.request}>
        <NativeSelect label="Method" data={[...httpMethods]} {...form.getInputProps("method")} />
        <TextInput label="URL" placeholder="https://api.example.com/weather/{city}" {...urlInputProps} {...form.getInputProps("url")} />
      </div>
      <p className={shared.note}>
        {"{city} in the URL and {{city}} elsewhere take the argument city. A private address works once the guard allows its host."}
      </p>
      <AuthProfileSelect
        url={form.values.url}
        value={form.values.authProfileId}
        onChange={(id) => form.setFieldValue("authProfileId", id)}
        error={text(form.errors.authProfileId)}
      />
      <KeyValueField form={form} field="query" label="Query" description="A parameter without its argument is left out." what="parameter" />
      <KeyValueField
        form={form}
        field="headers"
        label="Headers"
        description="Without credentials: those belong into an auth profile."
        what="header"
      />
      {form.errors.headers ? <p className={classes.error}>{form.errors.headers}</p> : null}
      {hasBody(form.values) ? <BodyFields form={form} /> : null}
    </>
  );
}

function BodyFields({ form }: { form: UseFormReturnType<HttpToolFields> }) {
  return (
    <>
      <AutosizeTextarea
        label="Body"
        description="JSON with {{placeholders}}. Empty: the arguments that are used nowhere else, as a JSON object."
        placeholder={'{ "title": "{{title}}" }'}
        {...codeInputProps}
        rows={[2, 12]}
        {...form.getInputProps("body")}
      />
      <NativeSelect
        label="Body type"
        data={httpBodyTypes.map((value) => ({ value, label: { json: "JSON", form: "Form", text: "Plain text" }[value] }))}
        {...form.getInputProps("bodyType")}
      />
    </>
  );
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const hasBody = ({ method }: HttpToolFields) => method === "POST" || method === "PUT" || method === "PATCH";

function parseFields(fields: HttpToolFields, tool: HttpTool | null) {
  try {
    return HttpToolDraft.safeParse(toHttpToolDraft({ ...fields, body: hasBody(fields) ? fields.body : "" }, tool?.http.commaLists ?? []));
  } catch {
    const issue = { path: ["inputSchema"], message: "This is not JSON. Correct it, or leave it empty." };
    return { success: false as const, error: { issues: [issue] } };
  }
}

/** Maps a path of the draft to its form field. */
function fieldOf(path: readonly string[]): string {
  const inside = path.join(".").replace(/^http\./, "");
  if (inside.startsWith("bodyTemplate")) return "body";
  if (inside.startsWith("inputSchema")) return "inputSchema";
  return inside === "timeoutMs" ? "timeoutSeconds" : inside;
}
