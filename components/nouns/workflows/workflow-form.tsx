"use client";

import { ActionIcon, Button, NumberInput, Select, TextInput } from "@mantine/core";
import { IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useResource } from "@/components/kit/resources/use-resource";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { LateForm } from "@/components/kit/ui/forms/late-form";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import shared from "@/components/kit/ui/shared.module.css";
import { agentQueries } from "@/components/nouns/agents/queries";
import { WorkflowDraft, workflowKinds } from "@/contracts/automation/workflows";
import type { Workflow } from "@/contracts/browser/automation/workflows";
import { workflowResource } from "./queries";
import classes from "./workflows.module.css";

const kindWords = { sequential: "One after another", parallel: "All at once", loop: "Again and again" } as const;

type Step = { key: number; name: string; agentId: string | null; prompt: string };
type WorkflowFormProps = { workflow: Workflow | null; onDone: (saved: Workflow | null) => void };

/** Editor of a workflow: its name, its kind and its steps. */
export function WorkflowForm({ workflow, onDone }: WorkflowFormProps) {
  const resource = useResource(workflowResource);
  const save = useMutation({ meta: { showsError: true }, mutationFn: (draft: WorkflowDraft) => resource.save(workflow, draft) });
  const [name, setName] = useState(workflow?.name ?? "");
  const [kind, setKind] = useState(workflow?.plan.kind ?? "sequential");
  const [maxRounds, setMaxRounds] = useState(workflow?.plan.maxRounds ?? 3);
  const [stopText, setStopText] = useState(workflow?.plan.stopText ?? "");
  const [steps, setSteps] = useState<Step[]>(() => workflow?.plan.steps.map((step, key) => ({ ...step, key })) ?? [emptyStep(0)]);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (key: number, changed: Partial<Step>) =>
    setSteps((all) => all.map((step) => (step.key === key ? { ...step, ...changed } : step)));
  const moveUp = (place: number) => setSteps((all) => all.toSpliced(place - 1, 2, ...all.slice(place - 1, place + 1).toReversed()));
  const submit = () => {
    const isLoop = kind === "loop";
    const plan = {
      kind,
      maxRounds: isLoop ? maxRounds : 1,
      stopText: isLoop ? stopText : "",
      steps: steps.map(({ name, agentId, prompt }) => ({ name, agentId, prompt })),
    };
    const parsed = WorkflowDraft.safeParse({ name, description: workflow?.description ?? "", plan });
    setProblem(parsed.success ? null : problemOf(parsed.error.issues[0]));
    if (parsed.success) save.mutate(parsed.data, { onSuccess: onDone });
  };
  return (
    <LateForm
      className={shared.stack}
      aria-label={workflow ? `Edit ${workflow.name}` : "New workflow"}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        label="Name"
        placeholder="Report"
        data-autofocus
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={shared.fieldBar}>
        <Select
          className={shared.field}
          label="Steps run"
          data={workflowKinds.map((value) => ({ value, label: kindWords[value] }))}
          value={kind}
          onChange={(value) => value && setKind(value)}
          allowDeselect={false}
        />
        {kind === "loop" ? (
          <>
            <NumberInput
              label="Rounds at the most"
              min={1}
              max={20}
              value={maxRounds}
              onChange={(value) => setMaxRounds(typeof value === "number" ? value : 1)}
            />
            <TextInput
              className={shared.field}
              label="Stops when the last answer holds"
              placeholder="DONE"
              maxLength={200}
              value={stopText}
              onChange={(event) => setStopText(event.currentTarget.value)}
            />
          </>
        ) : null}
      </div>
      {steps.map((step, place) => (
        <StepFields
          key={step.key}
          step={step}
          place={place}
          onChange={(changed) => change(step.key, changed)}
          onUp={place === 0 ? null : () => moveUp(place)}
          onRemove={steps.length === 1 ? null : () => setSteps((all) => all.filter(({ key }) => key !== step.key))}
        />
      ))}
      <div className={shared.fieldBar}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={steps.length >= 20}
          onClick={() => setSteps((all) => [...all, emptyStep(Math.max(...all.map(({ key }) => key)) + 1)])}
        >
          Add step
        </Button>
        <Button type="submit" loading={save.isPending}>
          {workflow ? "Save" : "Add workflow"}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => onDone(null)}>
          Cancel
        </Button>
      </div>
      {(problem ?? save.error) ? <p role="alert">{problem ?? toErrorSentence(save.error)}</p> : null}
    </LateForm>
  );
}

type StepFieldsProps = {
  step: Step;
  place: number;
  onChange: (changed: Partial<Step>) => void;
  onUp: (() => void) | null;
  onRemove: (() => void) | null;
};

function StepFields({ step, place, onChange, onUp, onRemove }: StepFieldsProps) {
  const agents = useQuery(agentQueries.list());
  const which = `Step ${place + 1}`;
  return (
    <fieldset className={`${classes.step} ${shared.surface}`} aria-label={which}>
      <div className={shared.fieldBar}>
        <TextInput
          className={shared.field}
          label={`${which}: name`}
          maxLength={64}
          value={step.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          className={shared.field}
          label={`${which}: agent`}
          data={nameChoices(agents.data?.items)}
          value={step.agentId}
          onChange={(agentId) => onChange({ agentId })}
          searchable
        />
        {onUp ? (
          <ActionIcon variant="default" size="lg" aria-label={`Move step ${place + 1} up`} onClick={onUp}>
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
        ) : null}
        {onRemove ? (
          <ActionIcon variant="default" size="lg" aria-label={`Remove step ${place + 1}`} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        ) : null}
      </div>
      <AutosizeTextarea
        label={`${which}: prompt`}
        description="{input}, {previous} and {step:NAME} are filled in."
        rows={[2, 10]}
        maxLength={8_000}
        value={step.prompt}
        onChange={(event) => onChange({ prompt: event.currentTarget.value })}
      />
    </fieldset>
  );
}

const emptyStep = (key: number): Step => ({ key, name: `Step ${key + 1}`, agentId: null, prompt: key === 0 ? "{input}" : "{previous}" });

/** Says which field a problem of the form is about. */
function problemOf(issue: { path: PropertyKey[]; message: string } | undefined): string {
  if (!issue) return "The workflow cannot be saved.";
  const [, area, place, field] = issue.path;
  if (area !== "steps" || typeof place !== "number") return `${issue.path[0] === "name" ? "The name" : "The workflow"} ${issue.message}.`;
  if (field === "agentId") return `Step ${place + 1} needs an agent.`;
  return `Step ${place + 1}, ${String(field ?? "step")}: ${issue.message}.`;
}
