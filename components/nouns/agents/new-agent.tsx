"use client";

import { Modal, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { FormButtons } from "@/components/kit/ui/forms/form-buttons";
import { FormError } from "@/components/kit/ui/forms/form-error";
import { useReturnFocus } from "@/components/kit/ui/overlays/use-return-focus";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { AgentDraft } from "@/contracts/agents/agents";
import { type Agent, agentEndpoints } from "@/contracts/browser/agents/agents";
import classes from "./agents.module.css";
import { agentQueries } from "./queries";

type NewAgentProps = {
  opened: boolean;
  onClose: () => void;
  /** The agent whose settings and tools the new one gets; absent: a new agent with the defaults. */
  original?: Agent;
};

/** Asks for the name of an agent, then opens its page. */
export function NewAgent({ opened, onClose, original }: NewAgentProps) {
  useReturnFocus(opened);
  return (
    <Modal opened={opened} onClose={onClose} title={original ? spellHidden(`Duplicate ${original.name}`) : "New agent"}>
      <NewAgentForm onClose={onClose} {...(original ? { original } : {})} />
    </Modal>
  );
}

function NewAgentForm({ onClose, original }: Omit<NewAgentProps, "opened">) {
  const client = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState(original ? `${original.name.slice(0, 59)}-copy` : "");
  const [description, setDescription] = useState("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const create = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: AgentDraft) =>
      original
        ? call(agentEndpoints.duplicate, { params: { id: original.id }, body: { name: draft.name } })
        : call(agentEndpoints.create, { body: draft }),
    onError: (error) => setErrors(fieldErrors(error)),
    onSuccess: async (agent) => {
      await client.invalidateQueries({ queryKey: agentQueries.list().queryKey });
      onClose();
      router.push(`/agents/${agent.id}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = AgentDraft.safeParse({ name: name.trim(), description });
    setErrors(parsed.success ? {} : issueErrors(parsed.error.issues));
    if (parsed.success) create.mutate(parsed.data);
  };
  return (
    <form className={shared.story} onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        description="Lower-case letters, digits, _ and -. Programs use this name."
        placeholder="support"
        {...codeInputProps}
        maxLength={64}
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.name}
      />
      {original ? (
        <p className={classes.note}>Settings and ticked tools are copied. API keys and conversations are not.</p>
      ) : (
        <AutosizeTextarea
          label="Description"
          placeholder="Answers customers"
          rows={[2, 8]}
          maxLength={1_000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={errors.description}
        />
      )}
      <FormError error={create.error} />
      <FormButtons submit={original ? "Duplicate" : "Add agent"} isSaving={create.isPending} onCancel={onClose} />
    </form>
  );
}
