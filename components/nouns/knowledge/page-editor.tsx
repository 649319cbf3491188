"use client";

import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { call } from "@/components/kit/api/call";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { knowledgeEndpoints } from "@/contracts/browser/knowledge/knowledge";
import type { KnowledgePageContent } from "@/contracts/knowledge/knowledge-pages";
import { EditorForm } from "./editor-form";

type PageEditorProps = {
  baseId: string;
  page: KnowledgePageContent | null;
  onSaved: (id: string) => Promise<void>;
  onCancel: () => void;
};
type Fields = Pick<KnowledgePageContent, "title" | "content" | "layer" | "curated">;

const emptyPage: Fields = { title: "", content: "", layer: "fact", curated: true };
const layers = [
  { value: "fact", label: "Fact" },
  { value: "experience", label: "Experience" },
];

/** The Markdown of a page. A change that somebody else made meanwhile is not overwritten. */
export function PageEditor({ baseId, page, onSaved, onCancel }: PageEditorProps) {
  const { title, content, layer, curated } = page ?? emptyPage;
  const save = (fields: Fields) => {
    const body = { ...fields, title: fields.title.trim(), ...(page ? { type: page.type } : {}) };
    return page
      ? call(knowledgeEndpoints.updatePage, { params: { id: page.id }, body }, { version: page.version })
      : call(knowledgeEndpoints.createPage, { params: { id: baseId }, body });
  };
  return (
    <EditorForm<Fields>
      noun="page"
      isNew={page === null}
      initialValues={{ title, content, layer, curated }}
      isComplete={(fields) => fields.title.trim() !== ""}
      save={save}
      onSaved={onSaved}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <TextInput label="Title" maxLength={200} {...form.getInputProps("title")} />
          <AutosizeTextarea
            label="Content"
            description="Markdown. [[slug]] links a page; [1] cites the source of a line such as [1]: report.pdf, p. 12"
            rows={[12, 30]}
            {...form.getInputProps("content")}
          />
          <NativeSelect
            label="Layer"
            description="An experience becomes stale when a fact that it links to changes"
            data={layers}
            {...form.getInputProps("layer")}
          />
          <Switch
            label="Curated"
            description="People look after the page; agents read it and do not change it"
            {...form.getInputProps("curated", { type: "checkbox" })}
          />
        </>
      )}
    </EditorForm>
  );
}
