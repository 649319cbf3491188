"use client";

import { CloseButton, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { issueErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import classes from "@/components/kit/settings-frame/settings.module.css";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { InlineFormButtons } from "@/components/kit/ui/forms/form-buttons";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { DelegationSettings } from "@/contracts/browser/agents/delegation";
import { useSaveDelegation } from "./use-save-delegation";

/** Agent programs that `acp_spawn` may start, with a form for one more. */
export function AgentPrograms({ settings: { acpAgents } }: { settings: DelegationSettings }) {
  const refusal = useRefusal("mcp:run");
  const [isAdding, setIsAdding] = useState(false);
  const save = useSaveDelegation(() => {
    notifications.show({ message: "The agent programs are saved" });
    setIsAdding(false);
  });
  return (
    <div className={shared.story}>
      <h3>Agent programs</h3>
      {acpAgents.length === 0 ? <p>None. acp_spawn is unavailable until one is allowed.</p> : null}
      {acpAgents.map(({ name, command, args }) => (
        <div key={name} className={shared.bar}>
          <strong>
            <RevealedText text={name} />
          </strong>
          <CodeText>{[command, ...args].join(" ")}</CodeText>
          <CloseButton
            aria-label={`Remove ${name}`}
            disabled={refusal !== null || save.isPending}
            onClick={() => save.mutate({ acpAgents: acpAgents.filter((agent) => agent.name !== name) })}
          />
        </div>
      ))}
      {isAdding ? (
        <ProgramForm
          isSaving={save.isPending}
          onCancel={() => setIsAdding(false)}
          onSubmit={async (fields) => {
            const { DelegationSettingsPatch } = await import("@/contracts/agents/delegation");
            const parsed = DelegationSettingsPatch.safeParse({ acpAgents: [...acpAgents, toProgram(fields)] });
            if (!parsed.success) return issueErrors(parsed.error.issues, (path) => fieldOf(path));
            save.mutate(parsed.data);
            return null;
          }}
        />
      ) : (
        <RefusableButton refusal={refusal} variant="default" onClick={() => setIsAdding(true)}>
          Allow a program
        </RefusableButton>
      )}
      {save.error ? (
        <p role="alert" className={classes.error}>
          {toErrorSentence(save.error)}
        </p>
      ) : null}
    </div>
  );
}

type Fields = { name: string; command: string; args: string; environment: string; allowedHosts: string };

/** The field of an error's path: `acpAgents.0.args.1` is one of `args`, and an error of the whole list one of the name. */
const fieldOf = (path: readonly PropertyKey[]): string => (path.length > 2 ? String(path[2]) : "name");

const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

const toProgram = ({ name, command, args, environment, allowedHosts }: Fields) => ({
  name: name.trim(),
  command,
  args: args.split("\n").filter((line) => line !== ""),
  environment: words(environment),
  allowedHosts: words(allowedHosts),
});

type ProgramFormProps = {
  isSaving: boolean;
  onCancel: () => void;
  /** @returns errors by field; null when the fields are right */
  onSubmit: (fields: Fields) => Promise<Record<string, string> | null>;
};

function ProgramForm({ isSaving, onCancel, onSubmit }: ProgramFormProps) {
  const form = useForm<Fields>({
    mode: "controlled",
    initialValues: { name: "", command: "", args: "", environment: "", allowedHosts: "" },
  });
  const submit = form.onSubmit(async (fields) => {
    const errors = await onSubmit(fields);
    if (errors) form.setErrors(errors);
  });
  return (
    <form className={shared.story} onSubmit={submit} noValidate>
      <TextInput label="Name" description="acp_spawn takes it" data-autofocus {...codeInputProps} {...form.getInputProps("name")} />
      <TextInput
        label="Command"
        description="A program of this machine that speaks the Agent Client Protocol"
        {...codeInputProps}
        {...form.getInputProps("command")}
      />
      <AutosizeTextarea label="Arguments" description="One a line" rows={[1]} {...codeInputProps} {...form.getInputProps("args")} />
      <TextInput
        label="Variables"
        description="Names of variables of Handrail's environment that it gets, such as GEMINI_API_KEY"
        {...codeInputProps}
        {...form.getInputProps("environment")}
      />
      <TextInput
        label="Allowed hosts"
        description="Hosts that it reaches from the sandbox"
        {...codeInputProps}
        {...form.getInputProps("allowedHosts")}
      />
      <InlineFormButtons submit="Allow" isSaving={isSaving} onCancel={onCancel} />
    </form>
  );
}
