"use client";

import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fieldErrors } from "@/components/kit/api/field-errors";
import { useResource } from "@/components/kit/resources/use-resource";
import { useRefusal } from "@/components/kit/session/me";
import { EditorDrawer } from "@/components/kit/ui/overlays/editor-drawer";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { agentQueries } from "@/components/nouns/agents/queries";
import type { Hook, HookDraft } from "@/contracts/hooks/hooks";
import { actionSentence } from "./action-sentence";
import { HookFields } from "./hook-fields";
import { emptyForm, fieldAt, type HookForm, toHookDraft, toHookForm } from "./hook-form";
import { hookSentence } from "./hook-sentence";
import { HookTrialPanel } from "./hook-trial-panel";
import { actionWords, eventWords } from "./hook-words";
import { hookResource } from "./queries";

type HookEditorProps = {
  /** The edited hook; null for a new one. */
  hook: Hook | null;
  /** Order number of a new hook. */
  nextOrder: number;
  onClose: () => void;
};

/** Edits a hook, and previews its effect on a recorded call while the person types. */
export function HookEditor({ hook, nextOrder, onClose }: HookEditorProps) {
  const refusal = useRefusal("hooks:write");
  const resource = useResource(hookResource);
  const save = useMutation({ meta: { showsError: true }, mutationFn: (draft: HookDraft) => resource.save(hook, draft) });
  const [initial] = useState<HookForm>(() => (hook ? toHookForm(hook) : { ...emptyForm, order: nextOrder }));
  const form = useForm<HookForm>({ mode: "controlled", initialValues: initial, validate: (values) => toHookDraft(values).errors ?? {} });
  const { values } = form;
  const agents = useQuery(agentQueries.list());
  const agentName = agents.data?.items.find(({ id }) => id === values.agentId)?.name ?? null;
  // The preview needs no name.
  const { draft } = toHookDraft({ ...values, name: values.name || "New hook" });
  const doing = draft ? `it ${actionSentence(draft.action)}` : actionWords[values.action].label.toLowerCase();
  const submit = form.onSubmit((typed) => {
    const finished = toHookDraft(typed).draft;
    if (!finished) return;
    save.mutate(finished, {
      onSuccess: () => {
        notifications.show({ message: spellHidden(`${finished.name} is saved`) });
        onClose();
      },
      onError: (error) => form.setErrors(fieldErrors(error, (path) => fieldAt(path.split("."), typed.action))),
    });
  });
  return (
    <EditorDrawer
      title={hook ? hook.name : "New hook"}
      sentence={`${eventWords[values.event].label}, ${doing}: ${hookSentence({ event: values.event, match: matchOf(values) }, agentName)}.`}
      aside={refusal === null ? <HookTrialPanel draft={draft} event={values.event} /> : null}
      refusal={refusal}
      isDirty={form.isDirty()}
      loss="Your changes to this hook are lost."
      error={save.error}
      isSaving={save.isPending}
      action={hook ? "Save" : "Add the hook"}
      onSubmit={submit}
      onClose={onClose}
    >
      {hook?.availability.status === "unavailable" ? (
        <p className={`${shared.errorText} ${shared.wraps}`}>
          <RevealedText text={hook.availability.reason} />
        </p>
      ) : null}
      <HookFields form={form} readOnly={refusal !== null} />
    </EditorDrawer>
  );
}

const matchOf = ({ tool, agentId, argumentPointer, argumentPattern }: HookForm): Hook["match"] => ({
  tool: tool || "*",
  agentId: agentId || null,
  argument: argumentPattern ? { pointer: argumentPointer, pattern: argumentPattern } : null,
});
