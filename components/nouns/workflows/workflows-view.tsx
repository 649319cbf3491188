"use client";

import { Button, Select } from "@mantine/core";
import { IconPencil, IconPlus, IconRoute, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { useResource } from "@/components/kit/resources/use-resource";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { Workflow } from "@/contracts/automation/workflows";
import { workflowResource } from "./queries";
import { RunsSection } from "./runs-section";

const WorkflowForm = dynamic(() => import("./workflow-form").then((file) => file.WorkflowForm), {
  ssr: false,
  loading: FormSkeleton,
});

const removalLoss = "It runs no more, and its history is deleted. The conversations of its steps stay.";

/** Saved compositions of agents, with their editor and their runs. */
export function WorkflowsView() {
  const refusal = useRefusal("workflows:write");
  const { confirmRemoval } = useResource(workflowResource);
  const workflows = useQuery(workflowResource.list());
  const [id, setId] = useQueryState("workflow", parseAsString.withOptions({ history: "push" }));
  const [edited, setEdited] = useState<"new" | "chosen" | null>(null);
  const items = workflows.data?.items ?? [];
  const chosen = items.find((workflow) => workflow.id === id) ?? items[0];
  const addButton = (
    <RefusableButton refusal={refusal} leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited("new")}>
      Add workflow
    </RefusableButton>
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
      ) : (
        <Loaded query={workflows} what="the workflows" rows={3} height={2.25}>
          {() =>
            !chosen ? (
              <EmptyState icon={IconRoute} title="No workflows yet" action={addButton}>
                A workflow hands the answer of one agent to the next one.
              </EmptyState>
            ) : (
              <>
                <div className={`${shared.fieldBar} ${shared.above}`}>
                  <Select
                    className={shared.field}
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
                  <RefusableButton
                    refusal={refusal}
                    variant="default"
                    leftSection={<IconTrash size={16} aria-hidden />}
                    onClick={() => confirmRemoval(chosen, removalLoss, () => void setId(null))}
                  >
                    Remove
                  </RefusableButton>
                </div>
                <RunsSection key={chosen.id} workflowId={chosen.id} />
              </>
            )
          }
        </Loaded>
      )}
    </>
  );
}

function stepWords({ plan: { kind, steps, maxRounds } }: Workflow): string {
  const names = steps.map(({ name }) => name);
  if (kind === "parallel") return `All at once: ${names.join(", ")}`;
  return kind === "loop" ? `${names.join(", then ")}; ${maxRounds} rounds at the most` : names.join(", then ");
}
