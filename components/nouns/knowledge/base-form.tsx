"use client";

import { MultiSelect, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { NameField } from "@/components/kit/resources/resource-fields";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { useResource } from "@/components/kit/resources/use-resource";
import { useMe } from "@/components/kit/session/me";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import { agentQueries } from "@/components/nouns/agents/queries";
import { providerResource } from "@/components/nouns/models/queries";
import { type KnowledgeBase, KnowledgeBaseDraft } from "@/contracts/knowledge/knowledge";
import { baseResource } from "./queries";

type Fields = {
  name: string;
  description: string;
  mode: KnowledgeBase["mode"];
  readers: string[];
  writers: string[];
  writerAgentId: string;
  watchedFolder: string;
  embeddingProvider: string;
  embeddingName: string;
};

type BaseFormProps = { base: KnowledgeBase | null; onSaved: (saved: KnowledgeBase) => void; onCancel: () => void };

/** Settings of a knowledge base. */
export function BaseForm({ base, onSaved, onCancel }: BaseFormProps) {
  const { save } = useResource(baseResource);
  const { role } = useMe();
  const agents = nameChoices(useQuery(agentQueries.list()).data?.items);
  const providers = (useQuery(providerResource.list()).data?.items ?? []).filter(({ kind }) => kind !== "anthropic");
  return (
    <ResourceForm
      submit={base ? "Save" : "Add knowledge base"}
      initialValues={toFields(base)}
      parse={(fields) => KnowledgeBaseDraft.safeParse(toDraft(fields, base))}
      fieldOf={([first = "", second = ""]) => fieldNames[`${first}.${second}`] ?? fieldNames[first] ?? first}
      save={(draft) => save(base, draft)}
      onSaved={onSaved}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <NameField form={form} placeholder="Handbook" />
          <AutosizeTextarea
            label="Description"
            description="Tells agents what the base knows"
            rows={[1, 4]}
            maxLength={500}
            {...form.getInputProps("description")}
          />
          <MultiSelect label="Agents that read" data={agents} searchable {...form.getInputProps("readers")} />
          <MultiSelect label="Agents that also write pages" data={agents} searchable {...form.getInputProps("writers")} />
          <NativeSelect
            label="Mode"
            description="Eager also lets the writer's model write pages about each new source"
            data={[
              { value: "lazy", label: "Lazy: read sources" },
              { value: "eager", label: "Eager: read sources and write pages" },
            ]}
            {...form.getInputProps("mode")}
          />
          <NativeSelect
            label="Writer"
            description="Its models write pages and run transformations"
            data={[{ value: "", label: "None" }, ...agents]}
            {...form.getInputProps("writerAgentId")}
          />
          <NativeSelect
            label="Provider of embeddings"
            description="Finds passages by their meaning, too. Texts of the base are sent to it"
            data={[{ value: "", label: "None: search by words" }, ...nameChoices(providers)]}
            {...form.getInputProps("embeddingProvider")}
          />
          {form.values.embeddingProvider === "" ? null : (
            <TextInput
              label="Embedding model"
              description="The provider's name of the model"
              placeholder="text-embedding-3-small"
              maxLength={200}
              {...codeInputProps}
              {...form.getInputProps("embeddingName")}
            />
          )}
          {role === "owner" || base?.watchedFolder ? (
            <TextInput
              label="Watched folder"
              description="Absolute path on Handrail's machine; its files are sources"
              placeholder="/srv/handbook"
              {...codeInputProps}
              {...form.getInputProps("watchedFolder")}
            />
          ) : null}
        </>
      )}
    </ResourceForm>
  );
}

const toFields = (base: KnowledgeBase | null): Fields => ({
  name: base?.name ?? "",
  description: base?.description ?? "",
  mode: base?.mode ?? "lazy",
  readers: base?.agents.filter(({ access }) => access === "read").map(({ agentId }) => agentId) ?? [],
  writers: base?.agents.filter(({ access }) => access === "write").map(({ agentId }) => agentId) ?? [],
  writerAgentId: base?.writerAgentId ?? "",
  watchedFolder: base?.watchedFolder ?? "",
  embeddingProvider: base?.embeddingModel?.providerId ?? "",
  embeddingName: base?.embeddingModel?.model ?? "",
});

/** Fields of the form by the members of the draft that the API refuses. */
const fieldNames: Record<string, string> = {
  agents: "readers",
  embeddingModel: "embeddingProvider",
  "embeddingModel.model": "embeddingName",
};

/** Types of pages that an agent may write are kept; they are set by the API. */
function toDraft(
  { readers, writers, writerAgentId, watchedFolder, embeddingProvider, embeddingName, ...rest }: Fields,
  base: KnowledgeBase | null,
) {
  const typesOf = (id: string) => base?.agents.find(({ agentId }) => agentId === id)?.pageTypes ?? [];
  const reading = readers
    .filter((id) => !writers.includes(id))
    .map((agentId) => ({ agentId, access: "read", pageTypes: typesOf(agentId) }));
  const writing = writers.map((agentId) => ({ agentId, access: "write", pageTypes: typesOf(agentId) }));
  const embeddingModel = embeddingProvider === "" ? null : { providerId: embeddingProvider, model: embeddingName };
  return {
    ...rest,
    agents: [...reading, ...writing],
    writerAgentId: writerAgentId || null,
    watchedFolder: watchedFolder || null,
    embeddingModel,
  };
}
