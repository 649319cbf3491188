"use client";

import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
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

/** The Markdown of a page. A change that somebody else made meanwhile is not overwritten. */
export function PageEditor({ baseId, page, onSaved, onCancel }: PageEditorProps) {
  const [title, setTitle] = useState(page?.title ?? "");
  const [content, setContent] = useState(page?.content ?? "");
  const [layer, setLayer] = useState(page?.layer ?? "fact");
  const [curated, setCurated] = useState(page?.curated ?? true);
  const saving = useMutation({
    meta: { showsError: true },
    mutationFn: () => {
      const body = { title: title.trim(), content, layer, curated, ...(page ? { type: page.type } : {}) };
      return page
        ? call(knowledgeEndpoints.updatePage, { params: { id: page.id }, body }, { version: page.version })
        : call(knowledgeEndpoints.createPage, { params: { id: baseId }, body });
    },
    onSuccess: ({ id }) => onSaved(id),
  });
  return (
    <EditorForm noun="page" isNew={page === null} isComplete={title.trim() !== ""} saving={saving} error={saving.error} onCancel={onCancel}>
      <TextInput label="Title" value={title} maxLength={200} onChange={(event) => setTitle(event.currentTarget.value)} />
      <AutosizeTextarea
        label="Content"
        description="Markdown. [[slug]] links a page; [1] cites the source of a line such as [1]: report.pdf, p. 12"
        rows={[12, 30]}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      <NativeSelect
        label="Layer"
        description="An experience becomes stale when a fact that it links to changes"
        data={[
          { value: "fact", label: "Fact" },
          { value: "experience", label: "Experience" },
        ]}
        value={layer}
        onChange={(event) => setLayer(event.currentTarget.value === "experience" ? "experience" : "fact")}
      />
      <Switch
        label="Curated"
        description="People look after the page; agents read it and do not change it"
        checked={curated}
        onChange={(event) => setCurated(event.currentTarget.checked)}
      />
    </EditorForm>
  );
}
