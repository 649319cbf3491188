"use client";

import { Checkbox, NativeSelect, SegmentedControl, Select, TagsInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { EnabledField, NameField } from "@/components/kit/resources/resource-fields";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { useResource } from "@/components/kit/resources/use-resource";
import { useRefusal } from "@/components/kit/session/me";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { agentQueries } from "@/components/nouns/agents/queries";
import { messengerResource } from "@/components/nouns/messengers/queries";
import { workflowResource } from "@/components/nouns/workflows/queries";
import { TriggerDraft, type TriggerWithSecret } from "@/contracts/automation/triggers";
import { endedRunStatuses, payloadWords, type Trigger, triggerKinds } from "@/contracts/browser/automation/triggers";
import { triggerResource } from "./queries";
import { kindWords, statusWords } from "./trigger-words";

type TriggerFormProps = {
  /** The edited trigger; null for a new one. */
  trigger: Trigger | null;
  onSaved: (saved: Trigger | TriggerWithSecret) => void;
  onCancel: () => void;
};

type Named = readonly { id: string; name: string }[];
const choices = (rows: Named | undefined) => rows?.map(({ id, name }) => ({ value: id, label: spellHidden(name) })) ?? [];

/** Form of a trigger: its event, its agent or workflow, and the text for it. */
export function TriggerForm({ trigger, onSaved, onCancel }: TriggerFormProps) {
  const { save } = useResource(triggerResource);
  const agents = choices(useQuery(agentQueries.list()).data?.items);
  const workflows = choices(useQuery(workflowResource.list()).data?.items);
  const mayReadMessengers = useRefusal("messengers:read") === null;
  const messengers = choices(useQuery({ ...messengerResource.list(), enabled: mayReadMessengers }).data?.items);
  const start = trigger ?? TriggerDefaults;
  return (
    <ResourceForm
      submit={trigger ? "Save" : "Add trigger"}
      initialValues={{
        ...{ name: start.name, kind: start.kind, messengerId: start.messengerId, words: [...start.words], ofAgentId: start.ofAgentId },
        ...{ statuses: [...start.statuses], ofWorkflowId: start.ofWorkflowId, template: start.template, enabled: start.enabled },
        starts: start.workflowId ? "workflow" : "agent",
        ...{ agentId: start.agentId, workflowId: start.workflowId },
      }}
      parse={({ starts, ...fields }) =>
        TriggerDraft.safeParse({ ...fields, ...(starts === "agent" ? { workflowId: null } : { agentId: null }) })
      }
      fieldOf={([first = ""], { starts }) => (first === "agentId" && starts === "workflow" ? "workflowId" : first)}
      save={(draft) => save(trigger, draft)}
      onSaved={onSaved}
      onCancel={onCancel}
    >
      {(form) => {
        const { kind } = form.values;
        const ofMessages = kind === "channel_message" || kind === "content_match";
        return (
          <>
            <NameField form={form} placeholder="Deployments" />
            <NativeSelect
              label="Starts on"
              disabled={trigger !== null}
              data={triggerKinds.map((value) => ({ value, label: kindWords[value] }))}
              {...form.getInputProps("kind")}
            />
            {ofMessages ? (
              <Select label="Messenger" placeholder="All messengers" data={messengers} clearable {...form.getInputProps("messengerId")} />
            ) : null}
            {kind === "content_match" ? (
              <TagsInput
                label="Texts"
                description="A message that holds one of them, also in groups where nobody mentions the agent"
                placeholder="outage"
                {...form.getInputProps("words")}
              />
            ) : null}
            {kind === "agent_lifecycle" ? (
              <>
                <Select label="Runs of" placeholder="All agents" data={agents} searchable clearable {...form.getInputProps("ofAgentId")} />
                <Checkbox.Group label="Ends that count" {...form.getInputProps("statuses")}>
                  <div className={shared.stack}>
                    {endedRunStatuses.map((status) => (
                      <Checkbox key={status} value={status} label={statusWords[status]} />
                    ))}
                  </div>
                </Checkbox.Group>
              </>
            ) : null}
            {kind === "workflow_completed" ? (
              <Select
                label="Runs of"
                placeholder="All workflows"
                data={workflows}
                searchable
                clearable
                {...form.getInputProps("ofWorkflowId")}
              />
            ) : null}
            <SegmentedControl
              aria-label="What it starts"
              data={[
                { value: "agent", label: "Starts an agent" },
                { value: "workflow", label: "Starts a workflow" },
              ]}
              fullWidth
              {...form.getInputProps("starts")}
            />
            {form.values.starts === "agent" ? (
              <Select label="Agent" data={agents} searchable {...form.getInputProps("agentId")} />
            ) : (
              <Select label="Workflow" data={workflows} searchable {...form.getInputProps("workflowId")} />
            )}
            <AutosizeTextarea
              label="Template"
              description={`The message to it. ${payloadWords[kind].map((word) => `{${word}}`).join(", ")} ${payloadWords[kind].length > 1 ? "stand" : "stands"} for the payload${kind === "webhook" ? "; {body.a.b} for a member of JSON" : ""}`}
              rows={[3, 12]}
              maxLength={4_000}
              {...form.getInputProps("template")}
            />
            <EnabledField form={form} off="Off starts nothing and keeps the settings" />
          </>
        );
      }}
    </ResourceForm>
  );
}

const TriggerDefaults = {
  ...{ name: "", kind: "webhook" as Trigger["kind"], messengerId: null, words: [], ofAgentId: null, ofWorkflowId: null },
  statuses: ["succeeded", "failed"] as Trigger["statuses"],
  ...{ agentId: null, workflowId: null, template: "", enabled: true },
};
