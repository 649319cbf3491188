"use client";

import { Button, Select } from "@mantine/core";
import { IconPencil, IconPlus, IconRoute, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { useRefusal } from "@/components/session/me";
import { confirmAction } from "@/components/ui/confirm-action";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import type { Workflow } from "@/contracts/workflows";
import { workflowQueries } from "./queries";
import { RunsSection } from "./runs-section";
import { useChangeWorkflows } from "./use-change-workflows";
import classes from "./workflows.module.css";

const WorkflowForm = dynamic(() => import("./workflow-form").then((file) => file.WorkflowForm), {
  ssr: false,
  loading: () => <RowSkeletons rows={4} height={3.5} what="the form" />,
});

/** Saved compositions of agents, with their editor and their runs. */
export function WorkflowsView() {
  const refusal = useRefusal("workflows:write");
  const workflows = useQuery(workflowQueries.list());
  const [id, setId] = useQueryState("workflow", parseAsString.withOptions({ history: "push" }));
  const [edited, setEdited] = useState<"new" | "chosen" | null>(null);
  const items = workflows.data?.items ?? [];
  const chosen = items.find((workflow) => workflow.id === id) ?? items[0];
  const addButton = (
    <DisabledReason reason={refusal}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={refusal !== null} onClick={() => setEdited("new")}>
        Add workflow
      </Button>
    </DisabledReason>
  );
  const done = (saved: Workflow | null) => {
    setEdited(null);
    if (saved) void setId(saved.id);
  };
  return (
    <>
      <PageHeader title="Workflows" description="Run agents in sequence, in parallel or in a loop.">
        {items.length === 0 || edited ? null : addButton}
      </PageHeader>
      {edited ? (
        <WorkflowForm workflow={edited === "chosen" ? (chosen ?? null) : null} onDone={done} />
      ) : workflows.isPending ? (
        <RowSkeletons rows={3} height={2.25} what="the workflows" />
      ) : !workflows.data ? (
        <ErrorState error={workflows.error} what="the workflows" retry={() => void workflows.refetch()} retrying={workflows.isFetching} />
      ) : !chosen ? (
        <EmptyState icon={IconRoute} title="No workflows yet" action={addButton}>
          A workflow hands the answer of one agent to the next one.
        </EmptyState>
      ) : (
        <>
          <div className={classes.bar}>
            <Select
              className={classes.grow}
              label="Workflow"
              description={stepWords(chosen)}
              data={items.map((workflow) => ({ value: workflow.id, label: spellHidden(workflow.name) }))}
              value={chosen.id}
              onChange={(value) => void setId(value)}
              allowDeselect={false}
              searchable
            />
            <Button
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
              disabled={refusal !== null}
              onClick={() => setEdited("chosen")}
            >
              Edit
            </Button>
            <RemoveWorkflow workflow={chosen} onRemoved={() => void setId(null)} />
          </div>
          <RunsSection key={chosen.id} workflowId={chosen.id} />
        </>
      )}
    </>
  );
}

function RemoveWorkflow({ workflow, onRemoved }: { workflow: Workflow; onRemoved: () => void }) {
  const refusal = useRefusal("workflows:write");
  const { remove } = useChangeWorkflows();
  const ask = () =>
    confirmAction({
      title: `Remove ${workflow.name}`,
      children: "It runs no more, and its history is deleted. The conversations of its steps stay.",
      action: "Remove workflow",
      onConfirm: async () => {
        await remove.mutateAsync(workflow.id);
        onRemoved();
      },
    });
  return (
    <DisabledReason reason={refusal}>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} disabled={refusal !== null} onClick={ask}>
        Remove
      </Button>
    </DisabledReason>
  );
}

function stepWords({ plan: { kind, steps, maxRounds } }: Workflow): string {
  const names = steps.map(({ name }) => name);
  if (kind === "parallel") return `All at once: ${names.join(", ")}`;
  return kind === "loop" ? `${names.join(", then ")}; ${maxRounds} rounds at the most` : names.join(", then ");
}
