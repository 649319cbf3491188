"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type Workflow, type WorkflowDraft, workflowEndpoints } from "@/contracts/browser/workflows";
import { workflowQueries } from "./queries";

/** Changes and starts workflows, and reads them again. */
export function useChangeWorkflows() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: workflowQueries.all() });
  const byId = (id: string) => ({ params: { id } });
  return {
    save: useMutation({
      meta: { showsError: true },
      onSettled,
      mutationFn: ({ workflow, draft }: { workflow: Workflow | null; draft: WorkflowDraft }) =>
        workflow
          ? call(workflowEndpoints.update, { ...byId(workflow.id), body: draft }, { version: workflow.version })
          : call(workflowEndpoints.create, { body: draft }),
    }),
    remove: useMutation({ onSettled, mutationFn: (id: string) => call(workflowEndpoints.remove, byId(id)) }),
    start: useMutation({
      meta: { showsError: true },
      onSettled,
      mutationFn: ({ id, input }: { id: string; input: string }) => call(workflowEndpoints.start, { ...byId(id), body: { input } }),
    }),
    cancel: useMutation({ onSettled, mutationFn: (id: string) => call(workflowEndpoints.cancel, byId(id)) }),
  };
}
