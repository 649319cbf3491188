"use client";

import { Select, Switch, Tabs, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { AnswerText } from "@/components/kit/markdown/answer-text";
import { useRefusal } from "@/components/kit/session/me";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { EditorDrawer } from "@/components/kit/ui/overlays/editor-drawer";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { type MemoryFile, type MemoryFileContent, type MemoryOwnerCount, memoryEndpoints } from "@/contracts/browser/memory/memory";
import { FileVersions } from "./file-versions";
import classes from "./memory.module.css";
import { placeWord } from "./owner-words";
import { memoryQueries, type Shown } from "./queries";

type FileEditorProps = {
  shown: Shown;
  owners: readonly MemoryOwnerCount[];
  /** Null for a new file. */
  file: MemoryFile | null;
  onClose: () => void;
};

/** The editor of a memory file with its preview and versions; waits for the content of a file that exists. */
export function FileEditor(props: FileEditorProps) {
  const { file, onClose } = props;
  const loaded = useQuery({ ...memoryQueries.file(file?.id ?? ""), enabled: file !== null });
  if (file && loaded.error && !loaded.data) {
    return <ErrorState error={loaded.error} what="the file" retry={() => void loaded.refetch()} retrying={loaded.isFetching} />;
  }
  if (file && !loaded.data) return null;
  return <Editor key={loaded.data?.version ?? 0} {...props} loaded={loaded.data ?? null} onClose={onClose} />;
}

type Draft = { filename: string; scope: "PERSONAL" | "TEAM" | "GLOBAL"; content: string; enabled: boolean };

function Editor({ shown, owners, loaded, onClose }: FileEditorProps & { loaded: MemoryFileContent | null }) {
  const client = useQueryClient();
  const refusal = useRefusal("memory:write");
  const owner = shown.ownerKey || null;
  const first: Draft = {
    filename: loaded?.filename ?? "",
    scope: loaded?.scope ?? (owner ? "PERSONAL" : "TEAM"),
    content: loaded?.content ?? "",
    enabled: loaded?.enabled ?? false,
  };
  const [draft, setDraft] = useState(first);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: () => {
      const { filename, scope, content, enabled } = draft;
      if (loaded) {
        return call(memoryEndpoints.updateFile, { params: { id: loaded.id }, body: { content, enabled } }, { version: loaded.version });
      }
      const body = { agentId: shown.agentId, filename, scope, ownerKey: scope === "PERSONAL" ? owner : null, content, enabled };
      return call(memoryEndpoints.createFile, { body });
    },
    onSuccess: async ({ filename }) => {
      notifications.show({ message: spellHidden(`${filename} saved`) });
      onClose();
      await client.invalidateQueries({ queryKey: memoryQueries.all() });
    },
  });
  const scopes = [
    ...(owner ? [{ value: "PERSONAL", label: spellHidden(placeWord({ scope: "PERSONAL", ownerKey: owner }, owners)) }] : []),
    { value: "TEAM", label: "All who use the agent" },
    { value: "GLOBAL", label: "All agents of the workspace" },
  ];
  return (
    <EditorDrawer
      title={loaded?.filename ?? "New memory file"}
      sentence={
        loaded ? `Read by: ${placeWord(loaded, owners)}. Earlier contents stay as versions.` : "The agent finds the file by its words."
      }
      aside={loaded ? <FileVersions file={loaded} onRestored={onClose} onRemoved={onClose} /> : null}
      refusal={refusal}
      isDirty={JSON.stringify(draft) !== JSON.stringify(first)}
      loss="Your changes to this file are lost."
      error={save.error}
      isSaving={save.isPending}
      action="Save file"
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {loaded ? null : (
        <>
          <TextInput
            label="Name"
            placeholder="PROFILE.md"
            description="A Markdown file, such as AGENTS.md or notes/travel.md"
            required
            maxLength={200}
            data-autofocus
            value={draft.filename}
            onChange={(event) => change({ filename: event.currentTarget.value })}
            {...codeInputProps}
          />
          <Select
            label="Read by"
            data={scopes}
            value={draft.scope}
            allowDeselect={false}
            onChange={(scope) => change({ scope: (scope as Draft["scope"] | null) ?? "TEAM" })}
          />
        </>
      )}
      <Switch
        label="Stands in the prompt"
        description="Costs tokens in every request of the agent."
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <Tabs defaultValue="edit">
        <Tabs.List>
          <Tabs.Tab value="edit">Edit</Tabs.Tab>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit" pt="xs">
          <AutosizeTextarea
            aria-label="Content"
            rows={[12, 30]}
            value={draft.content}
            onChange={(event) => change({ content: event.currentTarget.value })}
            {...codeInputProps}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview" pt="xs">
          <div className={classes.preview}>
            {draft.content.trim() === "" ? <p className={shared.note}>Nothing written yet.</p> : <AnswerText text={draft.content} />}
          </div>
        </Tabs.Panel>
      </Tabs>
    </EditorDrawer>
  );
}
