import { z } from "zod";
import { ActorRef, Id, Json, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { verdicts } from "../decisions/decision";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { callStatuses } from "./call-statuses";

/** A tool call as a line of a list: tool, arguments and outcome. */
export const CallSummary = z
  .object({
    callId: Id,
    turnId: Id,
    conversationId: Id,
    agent: z.string(),
    name: z.string(),
    arguments: Json.describe("What runs; secrets are masked."),
    askedArguments: JsonObject.optional().describe("What was asked, when an approver changed it."),
    editedBy: ActorRef.optional().describe("The approver who changed the arguments."),
    status: z.enum(callStatuses),
    verdict: z.enum(verdicts).nullable(),
    durationMs: z.number().int().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "CallSummary" });
export type CallSummary = z.infer<typeof CallSummary>;

export const CallFilter = z.object({
  tool: z.string().min(1).max(64).optional().describe("Name of a tool: its calls that ended in the last 30 days."),
  agentId: Id.optional().describe("Calls in the agent's 200 newest conversations."),
});
export type CallFilter = z.infer<typeof CallFilter>;

export const callEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/calls",
    summary: "Recent tool calls of a tool, an agent, or all, newest first",
    permission: "turns:read",
    query: CallFilter.extend(pageQuery),
    response: listOf(CallSummary),
  }),
};

export const callContract = defineContract({
  reference: { name: "Calls", description: "Tool calls across turns: what was called, and its outcome." },
  endpoints: callEndpoints,
  audit: {
    "call.started": "Call started",
    "call.released": "Call released to its client",
    "call.succeeded": "Call succeeded",
    "call.failed": "Call failed",
    "call.denied": "Call denied",
    "call.rejected": "Call rejected",
    "call.expired": "Call expired",
    "call.timed_out": "Call timed out",
    "call.cancelled": "Call cancelled",
    "call.interrupted": "Call interrupted",
    "call.answered": "Call answered",
    "call.promoted": "Moved to background",
  },
});
