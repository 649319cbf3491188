import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import type { runStatuses } from "../runs/runs";

/**
 * `channel_message`: a person writes to an agent. `content_match`: a message of any chat, also one that is not for the agent, holds a text.
 * `agent_lifecycle`: a run of an agent ends.
 */
export const triggerKinds = ["channel_message", "content_match", "webhook", "agent_lifecycle", "workflow_completed"] as const;
export type TriggerKind = (typeof triggerKinds)[number];

export const firingOutcomes = ["waiting", "started", "skipped", "failed"] as const;

/** Ends of runs that a trigger may follow. */
export const endedRunStatuses = ["succeeded", "failed", "limited", "cancelled"] as const satisfies readonly (typeof runStatuses)[number][];

/** Members of a payload that a template may name, by kind. */
export const payloadWords = {
  channel_message: ["text", "sender", "messenger", "chat"],
  content_match: ["text", "sender", "messenger", "chat", "match"],
  webhook: ["body"],
  agent_lifecycle: ["agent", "status", "answer", "error", "run_id"],
  workflow_completed: ["workflow", "status", "answer", "error", "run_id"],
} as const satisfies Record<TriggerKind, readonly string[]>;

const settings = {
  name: z.string().trim().min(1, "needs a name").max(100, "at most 100 characters"),
  kind: z.enum(triggerKinds),
  messengerId: Id.nullable().default(null).describe("Messages of this messenger only; `null`: of all."),
  words: z
    .array(z.string().trim().min(1, "needs a text").max(200, "at most 200 characters"))
    .max(20, "at most 20 texts")
    .default([])
    .describe("For `content_match`: a message that holds one of them starts the trigger. Case does not matter."),
  ofAgentId: Id.nullable().default(null).describe("For `agent_lifecycle`: runs of this agent only; `null`: of all."),
  statuses: z.array(z.enum(endedRunStatuses)).max(4).default(["succeeded", "failed"]).describe("For `agent_lifecycle`: ends that count."),
  ofWorkflowId: Id.nullable().default(null).describe("For `workflow_completed`: runs of this workflow only; `null`: of all."),
  agentId: Id.nullable().default(null).describe("The agent that starts."),
  workflowId: Id.nullable().default(null).describe("The workflow that starts, in place of an agent."),
  template: z
    .string()
    .trim()
    .min(1, "needs a text")
    .max(4_000, "at most 4,000 characters")
    .describe("The message or input. `{text}`, `{body}` and others stand for members of the payload; `{body.a.b}` for members of JSON."),
  enabled: z.boolean().default(true),
};

export const TriggerDraft = z
  .strictObject(settings)
  .refine(({ agentId, workflowId }) => (agentId === null) !== (workflowId === null), {
    message: "choose an agent or a workflow",
    path: ["agentId"],
  })
  .refine(({ kind, words }) => kind !== "content_match" || words.length > 0, { message: "needs a text", path: ["words"] })
  .refine(({ kind, statuses }) => kind !== "agent_lifecycle" || statuses.length > 0, { message: "choose an end", path: ["statuses"] })
  .meta({
    examples: [
      {
        name: "Deployments",
        kind: "webhook",
        agentId: "00000000-0000-7000-8000-000000000000",
        template: "Look at this deployment: {body}",
        enabled: false,
      },
    ],
  });
export type TriggerDraft = z.infer<typeof TriggerDraft>;

export const Trigger = z
  .object({
    ...{ id: Id, name: z.string(), kind: z.enum(triggerKinds), messengerId: Id.nullable(), words: z.array(z.string()) },
    ...{ ofAgentId: Id.nullable(), statuses: z.array(z.enum(endedRunStatuses)), ofWorkflowId: Id.nullable() },
    ...{ agentId: Id.nullable(), workflowId: Id.nullable(), template: z.string(), enabled: z.boolean() },
    target: z.string().describe("Name of the agent or the workflow."),
    address: z.string().nullable().describe("The address to call; `null` for other kinds than `webhook`."),
    lastFiredAt: Timestamp.nullable(),
    lastError: z.string().nullable(),
    createdBy: ActorRef,
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Trigger" });
export type Trigger = z.infer<typeof Trigger>;

export const TriggerWithSecret = Trigger.extend({
  secret: z.string().nullable().describe("Shown once; `null` for other kinds than `webhook`."),
}).meta({
  id: "TriggerWithSecret",
});
export type TriggerWithSecret = z.infer<typeof TriggerWithSecret>;

export const TriggerFiring = z
  .object({
    id: Id,
    triggerId: Id,
    outcome: z.enum(firingOutcomes),
    reason: z.string().nullable().describe("Why it started nothing: `duplicate`, `rate-limited` and others."),
    text: z.string(),
    depth: z.number().int(),
    conversationId: Id.nullable(),
    runId: Id.nullable(),
    workflowRunId: Id.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "TriggerFiring" });
export type TriggerFiring = z.infer<typeof TriggerFiring>;

export const automationKinds = ["schedule", "watch", "trigger"] as const;
export const Automation = z
  .object({
    kind: z.enum(automationKinds),
    id: Id,
    name: z.string(),
    target: z.string().describe("Name of the agent or the workflow that starts."),
    startsOn: z.string().describe("The schedule's timing, the watched topic, or the trigger's kind."),
    enabled: z.boolean(),
    nextRunAt: Timestamp.nullable(),
    lastRunAt: Timestamp.nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: "Automation" });
export type Automation = z.infer<typeof Automation>;

const params = z.object({ id: Id });

export const triggerEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/triggers",
    summary: "Triggers of the workspace, in the order of their creation",
    permission: "turns:read",
    query: z.object(pageQuery),
    response: listOf(Trigger),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/triggers",
    summary: "Add a trigger; only this response has the secret of a webhook",
    permission: "schedules:write",
    body: TriggerDraft,
    response: TriggerWithSecret,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/triggers/{id}",
    summary: "One trigger",
    permission: "turns:read",
    params,
    response: Trigger,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/triggers/{id}",
    summary: "Replace a trigger's settings",
    headers: ["If-Match"],
    permission: "schedules:write",
    params,
    body: TriggerDraft,
    response: Trigger,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/triggers/{id}",
    summary: "Remove a trigger with its history",
    headers: ["If-Match"],
    permission: "schedules:write",
    params,
    response: Empty,
  }),
  rotateSecret: endpoint({
    method: "POST",
    path: "/api/v1/triggers/{id}/secret",
    summary: "Give the webhook of a trigger another secret",
    permission: "schedules:write",
    params,
    response: TriggerWithSecret,
  }),
  listFirings: endpoint({
    method: "GET",
    path: "/api/v1/triggers/{id}/firings",
    summary: "What started a trigger in the last 30 days, newest first",
    permission: "turns:read",
    params,
    query: z.object(pageQuery),
    response: listOf(TriggerFiring),
  }),
  listAutomations: endpoint({
    method: "GET",
    path: "/api/v1/automations",
    summary: "Schedules, watches of topics and triggers together, with their next and last runs",
    permission: "turns:read",
    response: z.object({ items: z.array(Automation) }),
  }),
  receive: endpoint({
    method: "POST",
    path: "/api/v1/triggers/{id}/events",
    summary: "Called by another service: the secret as a bearer token, or an HMAC of the body in `X-Hub-Signature-256`",
    permission: null,
    ignoresCredentials: true,
    queryIsForeign: true,
    params,
    requestType: "application/octet-stream",
    maxBodyBytes: 262_144,
    response: z.object({ firingId: Id }).meta({ id: "ReceivedEvent" }),
    status: 202,
  }),
};

export const triggerContract = defineContract({
  reference: { name: "Triggers", description: "Start an agent or a workflow by a message, a webhook, the end of a run or of a workflow." },
  glossary: {
    trigger: "Starts an agent or a workflow when something happens: a message, a call of a webhook, the end of a run or of a workflow.",
    automation: "A schedule, a watch of a topic or a trigger: what starts agents without a person.",
  },
  endpoints: triggerEndpoints,
  audit: {
    "trigger.created": "Trigger added",
    "trigger.updated": "Trigger updated",
    "trigger.removed": "Trigger removed",
    "trigger.secret_rotated": "Secret of a trigger changed",
    "trigger.fired": "Trigger fired",
    "trigger.failed": "Trigger could not start its agent or workflow",
    "trigger.signature_refused": "Call of a trigger refused: wrong secret",
  },
  origins: ["trigger"],
  events: { "trigger.fired": { label: "Trigger fired", explanation: "A trigger opened a conversation for its agent" } },
  navigation: { label: "Automations", path: "/automations", icon: "IconBolt", key: "z", group: "agents", after: "/schedules" },
});
