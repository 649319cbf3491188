"use client";

import { Button, Select, Switch, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { FormError } from "@/components/kit/ui/forms/form-error";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { EffectBoxes } from "@/components/nouns/tools/effect-boxes";
import { AgentDraft } from "@/contracts/agents/agents";
import { type Agent, agentEndpoints, type disclosureModes } from "@/contracts/browser/agents/agents";
import type { ToolEffect } from "@/contracts/tools/tools";
import classes from "./agents.module.css";
import { DelegationFields, type DelegationValues } from "./delegation-fields";
import { agentQueries } from "./queries";
import { RunFields, type RunValues } from "./run-fields";

type Fields = RunValues &
  DelegationValues & {
    name: string;
    description: string;
    disclosureMode: (typeof disclosureModes)[number];
    sharedFolder: string;
    allowedEffects: ToolEffect[] | null;
    toolsDisabled: boolean;
    skillsDisabled: boolean;
    privileged: boolean;
  };

/** Name, description, limits and disclosure of an agent. */
export function AgentSettings({ agent }: { agent: Agent }) {
  const client = useQueryClient();
  const refusal = useRefusal("agents:write");
  const form = useForm<Fields>({ mode: "controlled", initialValues: fieldsOf(agent) });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: AgentDraft) => call(agentEndpoints.update, { params: { id: agent.id }, body: draft }, { version: agent.version }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    onSuccess: async (saved) => {
      client.setQueryData(agentQueries.one(agent.id).queryKey, saved);
      notifications.show({ message: spellHidden(`${saved.name} saved`) });
      await client.invalidateQueries({ queryKey: agentQueries.all() });
    },
  });
  const submit = form.onSubmit((values) => {
    const parsed = AgentDraft.safeParse({ ...values, name: values.name.trim(), sharedFolder: values.sharedFolder.trim() || null });
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(issueErrors(parsed.error.issues));
  });
  return (
    <form className={`${classes.panel} ${classes.settings}`} onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        description="Keys and rules refer to this name; rename breaks them."
        {...codeInputProps}
        maxLength={64}
        disabled={refusal !== null}
        {...form.getInputProps("name")}
      />
      <AutosizeTextarea
        label="Description"
        rows={[2, 10]}
        maxLength={1_000}
        disabled={refusal !== null}
        {...form.getInputProps("description")}
      />
      <ToolFields form={form} disabled={refusal !== null} />
      <RunFields
        values={{
          instructions: form.values.instructions,
          models: form.values.models,
          modelSettings: form.values.modelSettings,
          runLimits: form.values.runLimits,
        }}
        errors={form.errors}
        disabled={refusal !== null}
        onChange={(values) => form.setValues(values)}
      />
      <DelegationFields
        agentId={agent.id}
        name={agent.name}
        values={{
          mayBeAsked: form.values.mayBeAsked,
          offeredAsTool: form.values.offeredAsTool,
          delegates: form.values.delegates,
        }}
        errors={form.errors}
        disabled={refusal !== null}
        onChange={(values) => form.setValues(values)}
      />
      <FormError error={save.error} />
      <div className={shared.bar}>
        <RefusableButton refusal={refusal} type="submit" loading={save.isPending} disabled={!form.isDirty()}>
          Save
        </RefusableButton>
        {form.isDirty() ? (
          <Button variant="default" onClick={() => form.reset()}>
            Discard
          </Button>
        ) : null}
      </div>
    </form>
  );
}

function fieldsOf(agent: Agent): Fields {
  const { name, description, disclosureMode, sharedFolder, allowedEffects, instructions, models, modelSettings, runLimits } = agent;
  const { privileged, toolsDisabled, skillsDisabled, mayBeAsked, offeredAsTool, delegates } = agent;
  return {
    name,
    description,
    disclosureMode,
    sharedFolder: sharedFolder ?? "",
    allowedEffects,
    toolsDisabled,
    skillsDisabled,
    privileged,
    instructions,
    models,
    modelSettings,
    runLimits,
    mayBeAsked,
    offeredAsTool,
    delegates,
  };
}

/** Tools of the agent, and limits on their calls. */
function ToolFields({ form, disabled }: { form: UseFormReturnType<Fields>; disabled: boolean }) {
  return (
    <>
      <EffectBoxes
        label="Allowed effects"
        description="Calls with other effects are denied, whatever rules and approvals say."
        allowed={form.values.allowedEffects}
        explained
        disabled={disabled}
        onChange={(allowed) => form.setFieldValue("allowedEffects", allowed)}
      />
      <Select
        label="Disclosure"
        data={[
          { value: "progressive", label: "Progressive: Extension tools stand in the directory until enabled" },
          { value: "legacy", label: "Legacy: full schemas of all tools" },
          { value: "none", label: "No tools: the model gets none, and calls are refused" },
        ]}
        allowDeselect={false}
        disabled={disabled}
        {...form.getInputProps("disclosureMode")}
      />
      <TextInput
        label="Shared folder"
        description="One folder for all conversations of the agent. Empty: each conversation has its own."
        {...codeInputProps}
        maxLength={64}
        disabled={disabled}
        {...form.getInputProps("sharedFolder")}
      />
      <Switch
        label="Builtin tools only"
        description="No tools of MCP servers, HTTP tools, other agents and skill scripts."
        disabled={disabled}
        {...form.getInputProps("toolsDisabled", { type: "checkbox" })}
      />
      <Switch
        label="No skills"
        description="No catalogue of skills, and none of the tools for them."
        disabled={disabled}
        {...form.getInputProps("skillsDisabled", { type: "checkbox" })}
      />
      <Switch
        label="Privileged"
        description="Can create and connect agents (group_* tools)."
        disabled={disabled}
        {...form.getInputProps("privileged", { type: "checkbox" })}
      />
    </>
  );
}
