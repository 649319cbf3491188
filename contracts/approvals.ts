import { z } from "zod";
import { ActorRef, Id, JsonObject, listOf, pageQuery, Timestamp } from "./common";
import { Decision } from "./decision";
import { endpoint } from "./endpoint";
import { Remember } from "./grants";
import { HookStep } from "./hooks";
import { toolEffects, toolSources } from "./tools";

export const approvalStatuses = ["pending", "approved", "rejected", "expired", "cancelled", "void"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export const Vote = z.object({ actor: ActorRef, decision: z.enum(["approve", "reject"]), comment: z.string(), at: Timestamp });

export const Approval = z
  .object({
    id: Id,
    status: z.enum(approvalStatuses),
    turnId: Id,
    callId: Id,
    conversationId: Id,
    agent: z.string(),
    tool: z.object({
      name: z.string(),
      title: z.string(),
      source: z.enum(toolSources),
      effect: z.enum(toolEffects),
      primaryArgument: z.string().nullable(),
    }),
    arguments: JsonObject.describe("As the call will run with them; values that look like secrets are masked."),
    sentArguments: JsonObject.optional().describe("What the model sent, when hooks changed it; `arguments` is what will run."),
    hooks: z.array(HookStep).optional().describe("What hooks did with the call; absent when none was for it."),
    argumentsDigest: z.string(),
    decision: Decision,
    requestedBy: ActorRef,
    requestedAt: Timestamp,
    expiresAt: Timestamp,
    decidedAt: Timestamp.nullable(),
    decidedBy: ActorRef.nullable(),
    votes: z.array(Vote),
    quorum: z.object({ needed: z.number().int(), got: z.number().int() }),
    comment: z.string(),
    editedArguments: JsonObject.optional(),
    drift: z.array(z.string()).describe("What changed between asking and using the answer; an approval with any is void."),
  })
  .meta({ id: "Approval" });
export type Approval = z.infer<typeof Approval>;

export const ApprovalFilter = z.object({
  status: z.enum(approvalStatuses).optional(),
  tool: z.string().max(64).optional(),
  agent: z.string().max(64).optional(),
  conversationId: Id.optional(),
});
export type ApprovalFilter = z.infer<typeof ApprovalFilter>;

export const ApprovalAnswer = z
  .strictObject({
    decision: z.enum(["approve", "reject"]),
    comment: z.string().trim().max(2_000).default("").describe("With a rejection, the sentence that the model reads."),
    remember: Remember.optional().describe("With an approval: approve calls like this one in advance."),
  })
  .meta({ examples: [{ decision: "approve" }] });
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

export const approvalEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/approvals",
    summary: "Approvals, newest first; `total` counts all that the filter covers",
    permission: "approvals:read",
    query: ApprovalFilter.extend(pageQuery),
    response: listOf(Approval),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/approvals/{id}",
    summary: "One approval",
    permission: "approvals:read",
    params: z.object({ id: Id }),
    response: Approval,
  }),
  decide: endpoint({
    method: "POST",
    path: "/api/v1/approvals/{id}/decision",
    summary: "Approve or reject; the turn goes on by itself",
    permission: "approvals:decide",
    params: z.object({ id: Id }),
    body: ApprovalAnswer,
    response: Approval,
  }),
  decideMany: endpoint({
    method: "POST",
    path: "/api/v1/approvals/decisions",
    summary: "Decide several; one failing does not stop the others",
    permission: "approvals:decide",
    body: z.strictObject({
      decisions: z
        .array(ApprovalAnswer.extend({ id: Id }))
        .min(1)
        .max(100),
    }),
    response: z.object({
      results: z.array(
        z.object({ id: Id, ok: z.boolean(), approval: Approval.nullable(), code: z.string().nullable(), detail: z.string().nullable() }),
      ),
    }),
  }),
  events: endpoint({
    method: "GET",
    path: "/api/v1/approvals/events",
    summary: "`approval.requested`, `approval.decided` as they happen",
    permission: "approvals:read",
    responseType: "text/event-stream",
  }),
};
