import { z } from "zod";
import { CallContents } from "../calls/call-contents";
import { ActorRef, Id, JsonObject, listOf, pageQuery, queryFlag, Timestamp } from "../common";
import { Delegator } from "../conversations/delegator";
import { Decision, severities } from "../decisions/decision";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { GrantReach, Remember } from "../guard/grants";
import { RuleWarning } from "../guard/rule-subjects";
import { HookStep } from "../hooks/hooks";
import { Role } from "../permissions";
import { CallMachine } from "../tools/machine";
import { toolEffects, toolSources } from "../tools/tools";

/** `answered` ends a question; `approved` and `rejected` end a call that needs approval. */
export const approvalStatuses = ["pending", "approved", "rejected", "answered", "expired", "cancelled", "void"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** `call`: may this call run? `question`: a running tool asks a person for an answer (`ask_user`). */
export const approvalKinds = ["call", "question"] as const;

/** Eligible approvers, as the matching rule names them; a rule without `approvers` keeps the defaults. */
export const Eligibility = z.object({
  roles: z.array(Role).describe("Empty: every role that may decide approvals."),
  users: z.array(z.object({ id: Id, name: z.string() })).describe("Named people, beside the roles."),
  requesterExcluded: z.boolean().describe("The person who asked for the call may not decide it."),
});

/** Widening of an approval that nobody decided in time: the roles and users of `to` may decide too. */
export const Escalation = z.object({
  at: Timestamp,
  to: z.object({ roles: z.array(Role), users: z.array(z.object({ id: Id, name: z.string() })) }),
  isDue: z.boolean(),
});

/** The place of a decision. `api`: with a token or an API key; `mcp`: in the client that called. */
export const decisionPlaces = ["console", "api", "mcp", "messenger"] as const;
export const DecisionPlace = z
  .object({ kind: z.enum(decisionPlaces), name: z.string().nullable().describe("The messenger and its chat.") })
  .meta({ id: "DecisionPlace" });
export type DecisionPlace = z.infer<typeof DecisionPlace>;

export const Vote = z.object({ actor: ActorRef, decision: z.enum(["approve", "reject"]), comment: z.string(), at: Timestamp });

export const Approval = z
  .object({
    id: Id,
    kind: z.enum(approvalKinds),
    status: z.enum(approvalStatuses),
    summary: z.string().describe("The call in one line, secrets masked, at most 200 characters; the question's text for a question."),
    shape: z.string().describe("Calls of one kind share it: `npm install …`, `write src/…`. The inbox groups by rule and shape."),
    risk: z.enum(severities).describe("The worst finding; without one, by what the call does."),
    question: z
      .object({
        number: z.number().int(),
        text: z.string(),
        options: z.array(z.string()),
        url: z
          .url({ protocol: /^https?$/ })
          .optional()
          .describe("An address that the asked person is to open."),
        answer: z.string().nullable(),
      })
      .nullable()
      .describe("Of kind `question` only."),
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
    arguments: JsonObject.describe("What runs, also after an approver's change; values that look like secrets are masked."),
    askedArguments: JsonObject.optional().describe("What was asked, when the approver changed it; `arguments` is what runs."),
    editedBy: ActorRef.optional().describe("The approver who changed the arguments."),
    sentArguments: JsonObject.optional().describe("What the model sent, when hooks changed it; `arguments` is what will run."),
    hooks: z.array(HookStep).optional().describe("What hooks did with the call; absent when none was for it."),
    argumentsDigest: z.string(),
    decision: Decision,
    requestedBy: ActorRef,
    machine: CallMachine.pick({ client: true, folder: true, box: true, repository: true, host: true, user: true })
      .optional()
      .describe("The machine on which a client runs the call itself, as the client says; absent when Handrail runs it."),
    delegators: z.array(Delegator).describe("Agents that handed the task on to `agent`, nearest first."),
    requestedAt: Timestamp,
    expiresAt: Timestamp,
    decidedAt: Timestamp.nullable(),
    decidedBy: ActorRef.nullable(),
    decidedFrom: DecisionPlace.nullable().describe(
      "Where it was decided; `null`: nobody decided it, or an earlier version did not note it.",
    ),
    votes: z.array(Vote),
    quorum: z.object({ needed: z.number().int(), got: z.number().int() }),
    eligible: Eligibility,
    escalation: Escalation.nullable(),
    mayDecide: z
      .object({ isAllowed: z.boolean(), reason: z.string().nullable() })
      .describe("Whether the caller of this request may decide it now, and the sentence why not."),
    deniedNow: z
      .string()
      .optional()
      .describe("Reading one pending approval: why the policy denies its call since then, so that nobody can approve it."),
    comment: z.string(),
    drift: z
      .array(z.string())
      .describe("What changed since it was asked. Of a void approval: why it is void; of another: why the call is asked again."),
    contents: CallContents.nullable().describe("The files for whose contents the approval holds; null for a call that no file decides."),
  })
  .meta({ id: "Approval" });
export type Approval = z.infer<typeof Approval>;

export const approvalSorts = ["newest", "expires"] as const;

export const ApprovalFilter = z.object({
  status: z.enum(approvalStatuses).optional(),
  isDecided: queryFlag.optional().describe("Only those that are pending no more."),
  kind: z.enum(approvalKinds).optional(),
  tool: z.string().max(64).optional(),
  agent: z.string().max(64).optional(),
  risk: z.enum(severities).optional(),
  ruleId: z.string().max(64).optional().describe("`none`: no rule asked."),
  shape: z.string().max(200).optional(),
  query: z.string().trim().max(200).optional().describe("Words of the summary, the tool, the agent or the requester; no pattern."),
  decidedBy: Id.optional(),
  from: Timestamp.optional().describe("Requested at or after."),
  to: Timestamp.optional().describe("Requested before."),
  mine: queryFlag.optional().describe("Only those that the caller may decide now."),
  conversationId: Id.optional(),
  turnId: Id.optional().describe("The calls of one reply."),
});
export type ApprovalFilter = z.infer<typeof ApprovalFilter>;

/** One line of the inbox: only the fields needed to list, group and select. */
export const InboxRow = Approval.pick({
  id: true,
  kind: true,
  status: true,
  summary: true,
  shape: true,
  risk: true,
  agent: true,
  turnId: true,
  conversationId: true,
  requestedBy: true,
  delegators: true,
  requestedAt: true,
  expiresAt: true,
  quorum: true,
  mayDecide: true,
})
  .extend({
    tool: z.object({ name: z.string(), title: z.string(), effect: z.enum(toolEffects) }),
    rule: z.object({ id: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: "InboxRow" });
export type InboxRow = z.infer<typeof InboxRow>;

/** Pending approvals with the same rule, tool and shape. */
export const InboxGroup = z
  .object({
    ruleId: z.string().nullable(),
    ruleName: z.string().nullable(),
    tool: z.string(),
    kind: z.enum(approvalKinds),
    shape: z.string(),
    count: z.number().int(),
    worstRisk: z.enum(severities),
    nextExpiry: Timestamp,
  })
  .meta({ id: "InboxGroup" });
export type InboxGroup = z.infer<typeof InboxGroup>;

/** A grant that an approver may create together with this approval. */
export const GrantProposal = z
  .object({
    match: z
      .union([
        z.object({ kind: z.literal("exact") }),
        z.object({ kind: z.literal("pattern"), parameter: z.null(), pattern: z.string(), reach: GrantReach.optional() }),
      ])
      .describe("As `remember.match` of a decision takes it."),
    label: z.string().describe("The calls that it covers, in a few words."),
    covers: z.number().int().describe("Recorded calls of the last 30 days that it would have covered."),
  })
  .meta({ id: "GrantProposal" });
export type GrantProposal = z.infer<typeof GrantProposal>;

/** A pattern for a grant, tried on the call of an approval and on the recorded calls on which proposals are counted. */
export const TriedPattern = z
  .object({
    patternError: z.object({ message: z.string(), index: z.number().int().nullable() }).nullable(),
    whyNotCovered: z.string().nullable().describe("Why a grant of it would not cover the approval's own call; null when it would."),
    instead: z.string().nullable().describe("A closed pattern that covers the call, when the tried one does not or is open."),
    warnings: z.array(RuleWarning).describe("What the pattern may not mean, as for a rule that allows."),
    covers: z.number().int().describe("Recorded calls that it would have covered, counted as `covers` of a proposal."),
    examined: z.number().int(),
    calls: z
      .array(z.object({ callId: Id, seen: z.string() }))
      .describe("The newest of the covered calls, at most 5, with secrets masked; empty without `guard:read`."),
  })
  .meta({ id: "TriedPattern" });
export type TriedPattern = z.infer<typeof TriedPattern>;

export const ApprovalAnswer = z
  .strictObject({
    decision: z.enum(["approve", "reject"]),
    arguments: JsonObject.optional().describe("With an approval of a call: run it with these instead. Validated and decided again."),
    answer: z.string().trim().min(1).max(10_000).optional().describe("With an approval of a question: the answer that the tool gets."),
    comment: z
      .string()
      .trim()
      .max(2_000)
      .default("")
      .describe("Words for the model: it reads them with its result, or as the reason of a rejection."),
    remember: Remember.optional().describe("With an approval: approve calls like this one in advance."),
  })
  .meta({ examples: [{ decision: "approve" }] });
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/** The file that a call would change, before and after the call. */
export const ApprovalPreview = z
  .object({
    file: z
      .object({
        path: z.string(),
        before: z.string().nullable().describe("Its text now, secrets masked; null where the call makes the file."),
        after: z.string().describe("Its text after the call, secrets masked."),
      })
      .nullable(),
    reason: z.string().nullable().describe("Why there is no file to show although the call changes one."),
  })
  .meta({ id: "ApprovalPreview" });
export type ApprovalPreview = z.infer<typeof ApprovalPreview>;

export const approvalEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/approvals",
    summary: "Approvals, newest first; `total` counts all that the filter covers",
    permission: "approvals:read",
    query: ApprovalFilter.extend({ sort: z.enum(approvalSorts).default("newest"), ...pageQuery }),
    response: listOf(Approval),
  }),
  inbox: endpoint({
    method: "GET",
    path: "/api/v1/approvals/inbox",
    summary: "Approvals as lines of the inbox; `sort=expires` has the next to expire first; `total` counts all",
    permission: "approvals:read",
    query: ApprovalFilter.extend({
      sort: z.enum(approvalSorts).default("expires"),
      only: z
        .string()
        .regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,49}$/, { error: "takes at most 50 ids with commas between them" })
        .optional()
        .describe("At most 50 ids with commas between them: of the lines only these, to read changed lines again. `total` counts all."),
      ...pageQuery,
    }),
    response: listOf(InboxRow),
  }),
  groups: endpoint({
    method: "GET",
    path: "/api/v1/approvals/groups",
    summary: "Approvals that a filter covers, counted by rule, tool and shape; the largest group first, at most 200",
    permission: "approvals:read",
    query: ApprovalFilter,
    response: z.object({ groups: z.array(InboxGroup), total: z.number().int() }),
  }),
  allowedNow: endpoint({
    method: "GET",
    path: "/api/v1/approvals/allowed-now",
    summary: "Waiting calls that today's policy and grants would let pass, the next to expire first, to be approved together",
    permission: "approvals:read",
    response: z.object({
      items: z.array(InboxRow).describe("At most 200."),
      total: z.number().int(),
      examined: z.number().int().describe("Waiting calls that were decided again, at most 5,000."),
    }),
  }),
  proposals: endpoint({
    method: "GET",
    path: "/api/v1/approvals/{id}/proposals",
    summary: "Grants that could be made with an approval of this call, from the narrow to the wide",
    permission: "approvals:read",
    params: z.object({ id: Id }),
    response: z.object({
      proposals: z.array(GrantProposal),
      examined: z.number().int().describe("Recorded calls of the tool in the last 30 days that were looked at, at most 2,000."),
    }),
  }),
  tryPattern: endpoint({
    method: "POST",
    path: "/api/v1/approvals/{id}/proposals",
    summary: "Recorded calls that a pattern for a grant would cover. Saves nothing",
    permission: "approvals:read",
    params: z.object({ id: Id }),
    body: z
      .strictObject({ pattern: z.string().trim().min(1).max(1_000), reach: GrantReach.optional() })
      .meta({ examples: [{ pattern: "^git log(?: |$)" }] }),
    response: TriedPattern,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/approvals/{id}",
    summary: "One approval",
    permission: "approvals:read",
    params: z.object({ id: Id }),
    response: Approval,
  }),
  preview: endpoint({
    method: "GET",
    path: "/api/v1/approvals/{id}/preview",
    summary: "The file that a pending call would change, as it is now and as it would be",
    permission: "approvals:read",
    params: z.object({ id: Id }),
    response: ApprovalPreview,
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
    summary:
      "`approval.requested`, `approval.voted`, `approval.escalated`, `approval.decided`, `tool.quarantined` and `tool.pin_decided` as they happen",
    permission: "approvals:read",
    responseType: "text/event-stream",
  }),
};

export const approvalContract = defineContract({
  reference: { name: "Approvals", description: "Questions to people about calls, and their answers." },
  glossary: {
    approval: "A question to people about one call, and their answer.",
    approver: "A person whose role and whose approval's eligibility let them decide it.",
    card: "A title, a text, fields and links that a tool shows to people.",
    edit: "Arguments that an approver changed before approving the call.",
    escalation: "The widening of an approval to more people because nobody decided in time.",
    inbox: "The list of pending approvals, grouped by rule, tool and shape.",
    "pending call": "A call of an MCP client that was answered before it had a result.",
    question: "An approval of kind `question`: a running tool asks a person for an answer.",
    quorum: "The number of approvers who must agree before an approval is granted.",
    refusal: "A denied or rejected call that the conversation remembers, so that a repetition asks a person.",
    requester: "The actor whose submission caused an approval.",
    vote: "The answer of one approver where a quorum is needed.",
  },
  endpoints: approvalEndpoints,
  permissions: { "approvals:read": "See what waits for an approval", "approvals:decide": "Approve and reject" },
  roles: { approver: ["approvals:read", "approvals:decide"], viewer: ["approvals:read"] },
  implies: { "approvals:decide": ["approvals:read"] },
  audit: {
    "approval.requested": "Approval requested",
    "approval.approved": "Approved",
    "approval.rejected": "Rejected",
    "approval.expired": "Approval expired",
    "approval.cancelled": "Approval cancelled",
    "approval.voided": "Approval voided",
    "approval.voted": "Approval voted",
    "approval.escalated": "Approval escalated",
  },
  events: {
    "approval.requested": { label: "Approval requested", explanation: "A call needs approval, or a tool asks a question" },
    "approval.decided": { label: "Approval decided", explanation: "An approval was decided or expired" },
    "approval.escalated": { label: "Approval escalated", explanation: "Nobody decided in time; more people may decide" },
  },
  navigation: { label: "Approvals", path: "/approvals", icon: "IconHandStop", key: "a", group: "work", after: "/chat" },
});
