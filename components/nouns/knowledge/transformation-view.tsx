"use client";

import { Button, Group, Select } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { knowledgeTransformationEndpoints } from "@/contracts/browser/knowledge/knowledge-transformations";
import type { Transformation } from "@/contracts/knowledge/knowledge-transformations";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";
import { TransformationEditor } from "./transformation-editor";
import { TransformationRuns } from "./transformation-runs";

type TransformationViewProps = {
  baseId: string;
  transformation: Transformation;
  mayChange: boolean;
  refresh: () => Promise<unknown>;
  onSaved: (id: string) => Promise<void>;
  onRemoved: () => Promise<void>;
};

/** One transformation: its prompt, what it runs on, and its runs. */
export function TransformationView({ baseId, transformation, mayChange, refresh, onSaved, onRemoved }: TransformationViewProps) {
  const { id, name, prompt, pageType, appliesToNew, version } = transformation;
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <TransformationEditor
        {...{ baseId, transformation }}
        onSaved={async (savedId) => {
          await onSaved(savedId);
          setEditing(false);
        }}
        onCancel={() => setEditing(false)}
      />
    );
  }
  const remove = () =>
    confirmAction({
      title: `Remove ${name}`,
      children: "The transformation is deleted with its runs. Pages that were kept from its outputs stay.",
      action: "Remove transformation",
      onConfirm: async () => {
        await call(knowledgeTransformationEndpoints.remove, { params: { id } }, { version });
        await onRemoved();
      },
    });
  return (
    <article aria-label={name}>
      <h2 className={shared.heading}>
        <RevealedText text={name} />
      </h2>
      {mayChange ? (
        <Group gap="xs" my="sm">
          <Button size="compact-sm" variant="default" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Button size="compact-sm" variant="default" color="red" onClick={() => void remove()}>
            Remove
          </Button>
        </Group>
      ) : null}
      <pre className={`${classes.text} ${shared.surface}`}>
        <RevealedText text={prompt} />
      </pre>
      <p className={`${shared.note} ${classes.below}`}>
        {appliesToNew ? "It runs on each new source. " : "It runs when somebody starts it. "}
        {pageType === null ? "Its outputs stay with its runs." : `Each output becomes a page of the type ${pageType}.`}
      </p>
      {mayChange ? <RunForm baseId={baseId} id={id} refresh={refresh} /> : null}
      <TransformationRuns baseId={baseId} transformationId={id} mayChange={mayChange} />
    </article>
  );
}

/** Chooses a source or a page, and runs the transformation on it. */
function RunForm({ baseId, id, refresh }: { baseId: string; id: string; refresh: () => Promise<unknown> }) {
  const { data: subjects } = useQuery(knowledgeQueries.subjects(baseId));
  const [subject, setSubject] = useState<string | null>(null);
  const run = useMutation({
    meta: { showsError: true },
    mutationFn: (chosen: string) => {
      const [kind, subjectId = ""] = chosen.split(" ");
      const body = kind === "page" ? { pageId: subjectId } : { sourceId: subjectId };
      return call(knowledgeTransformationEndpoints.run, { params: { id }, body });
    },
    onSuccess: refresh,
  });
  const groups = [
    {
      group: "Sources",
      items: (subjects?.sources ?? []).map((source) => ({ value: `source ${source.id}`, label: spellHidden(source.name) })),
    },
    { group: "Pages", items: (subjects?.pages ?? []).map((page) => ({ value: `page ${page.id}`, label: spellHidden(page.title) })) },
  ];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (subject) run.mutate(subject);
      }}
    >
      <Group gap="xs" align="flex-end" my="sm">
        <Select
          label="Run on"
          placeholder="A source or a page"
          data={groups}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No source or page fits"
          limit={100}
          value={subject}
          onChange={setSubject}
        />
        <Button type="submit" variant="default" loading={run.isPending} disabled={subject === null}>
          Run
        </Button>
      </Group>
    </form>
  );
}
