import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const workflowKinds = ["sequential", "parallel", "loop"] as const;
export const workflowStatuses = ["running", "succeeded", "failed", "cancelled"] as const;
export const maxWorkflowSteps = 20;
export const maxWorkflowRounds = 20;
export const maxWorkflowInput = 50_000;

export const WorkflowStepPlan = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 _-]{0,63}$/, "1 to 64 letters, digits, spaces, _ or -"),
  agentId: Id,
  prompt: z
    .string()
    .trim()
    .min(1, "needs a prompt")
    .max(8_000, "at most 8,000 characters")
    .describe("`{input}`, `{previous}` (the answer before) and `{step:NAME}` (the last answer of a step) are filled in."),
});

export const WorkflowPlan = z
  .strictObject({
    kind: z.enum(workflowKinds).describe("`sequential`: one after another. `parallel`: all at once. `loop`: the sequence again and again."),
    steps: z.array(WorkflowStepPlan).min(1, "needs a step").max(maxWorkflowSteps, "at most 20 steps"),
    maxRounds: z.int().min(1).max(maxWorkflowRounds).default(1).describe("Rounds of a loop at the most."),
    stopText: z
      .string()
      .trim()
      .max(200)
      .default("")
      .describe("A loop ends when the answer of its last step holds this text; empty: never."),
  })
  .refine(({ steps }) => new Set(steps.map(({ name }) => name)).size === steps.length, {
    path: ["steps"],
    message: "names of steps must differ",
  });
export type WorkflowPlan = z.infer<typeof WorkflowPlan>;

export const WorkflowDraft = z
  .strictObject({
    name: z.string().trim().min(1, "needs a name").max(100, "at most 100 characters"),
    description: z.string().trim().max(500).default(""),
    plan: WorkflowPlan,
  })
  .meta({
    examples: [
      {
        name: "Report",
        plan: {
          kind: "sequential",
          steps: [{ name: "Write", agentId: "00000000-0000-7000-8000-000000000000", prompt: "Write about {input}" }],
        },
      },
    ],
  });
export type WorkflowDraft = z.infer<typeof WorkflowDraft>;

export const Workflow = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    plan: WorkflowPlan,
    createdBy: ActorRef,
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Workflow" });
export type Workflow = z.infer<typeof Workflow>;

export const WorkflowRun = z
  .object({
    id: Id,
    workflowId: Id,
    status: z.enum(workflowStatuses),
    input: z.string(),
    answer: z.string().nullable().describe("The last answer, or those of all parallel steps."),
    error: z.string().nullable(),
    requestedBy: ActorRef.describe("Whom the steps act for."),
    steps: z.array(
      z.object({
        id: Id,
        round: z.number().int().describe("From 1."),
        name: z.string(),
        status: z.enum(workflowStatuses),
        runId: Id.nullable(),
        conversationId: Id.nullable(),
        answer: z.string().nullable(),
        error: z.string().nullable(),
      }),
    ),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "WorkflowRun" });
export type WorkflowRun = z.infer<typeof WorkflowRun>;

const params = z.object({ id: Id });
const read = { permission: "turns:read" } as const;
const write = { permission: "workflows:write" } as const;

export const workflowEndpoints = {
  list: endpoint({
    ...read,
    method: "GET",
    path: "/api/v1/workflows",
    summary: "Workflows of the workspace, by name",
    response: z.object({ items: z.array(Workflow) }),
  }),
  create: endpoint({
    ...write,
    method: "POST",
    path: "/api/v1/workflows",
    summary: "Add a workflow",
    body: WorkflowDraft,
    response: Workflow,
    status: 201,
  }),
  update: endpoint({
    ...write,
    method: "PUT",
    path: "/api/v1/workflows/{id}",
    summary: "Replace a workflow; runs that have begun keep their plan",
    headers: ["If-Match"],
    params,
    body: WorkflowDraft,
    response: Workflow,
  }),
  remove: endpoint({
    ...write,
    method: "DELETE",
    path: "/api/v1/workflows/{id}",
    summary: "Remove a workflow with its history; refused while it runs",
    params,
    response: Empty,
  }),
  start: endpoint({
    method: "POST",
    path: "/api/v1/workflows/{id}/runs",
    summary: "Start a workflow. Idempotency-Key makes a retry safe",
    headers: ["Idempotency-Key"],
    permission: "turns:write",
    params,
    body: z
      .strictObject({ input: z.string().max(maxWorkflowInput, "at most 50,000 characters").default("") })
      .meta({ examples: [{ input: "The sales of March" }] }),
    response: WorkflowRun,
    status: 202,
  }),
  listRuns: endpoint({
    ...read,
    method: "GET",
    path: "/api/v1/workflows/{id}/runs",
    summary: "Runs of a workflow with their steps, newest first",
    params,
    query: z.object(pageQuery),
    response: listOf(WorkflowRun),
  }),
  cancel: endpoint({
    method: "POST",
    path: "/api/v1/workflows/runs/{id}/cancel",
    summary: "Cancel a run of a workflow with the runs of its steps; one that has ended stays as it is",
    permission: "turns:write",
    params,
    response: WorkflowRun,
  }),
};

export const workflowContract = defineContract({
  reference: { name: "Workflows", description: "Saved compositions of agents: one after another, all at once, or again and again." },
  glossary: {
    workflow: "A saved composition of agents: sequential, parallel or a loop.",
  },
  endpoints: workflowEndpoints,
  permissions: { "workflows:write": "Add, change and remove workflows" },
  implies: { "workflows:write": ["turns:read"] },
  audit: {
    "workflow.created": "Workflow created",
    "workflow.updated": "Workflow updated",
    "workflow.removed": "Workflow removed",
    "workflow_run.started": "Workflow started",
    "workflow_run.cancelled": "Cancellation of a workflow requested",
    "workflow_run.finished": "Workflow ended",
  },
  navigation: { label: "Workflows", path: "/workflows", icon: "IconRoute", key: "f", group: "agents", after: "/tools" },
});
