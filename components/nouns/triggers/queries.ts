import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { defineResource } from "@/components/kit/resources/define-resource";
import { triggerEndpoints } from "@/contracts/browser/automation/triggers";

const lookMs = 15_000;

export const triggerResource = defineResource({
  key: "triggers",
  noun: "trigger",
  endpoints: triggerEndpoints,
  isPaged: true,
  pollMs: () => lookMs,
  toDraft: ({ name, kind, messengerId, words, ofAgentId, statuses, ofWorkflowId, agentId, workflowId, template, enabled }) => ({
    ...{ name, kind, messengerId, words, ofAgentId, statuses, ofWorkflowId, agentId, workflowId, template, enabled },
  }),
});

export const automationQueries = {
  list: () =>
    queryOptions({
      queryKey: [...triggerResource.all(), "automations"],
      queryFn: ({ signal }) => call(triggerEndpoints.listAutomations, {}, { signal }),
      refetchInterval: lookMs,
    }),

  firings: (id: string) =>
    queryOptions({
      queryKey: [...triggerResource.all(), "firings", id],
      queryFn: ({ signal }) => call(triggerEndpoints.listFirings, { params: { id }, query: { limit: 20 } }, { signal }),
      refetchInterval: lookMs,
    }),
};
