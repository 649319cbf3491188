import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { approvalFeed } from "@/server/approvals/approval-feed";
import { proposeGrants } from "@/server/approvals/grants/propose-grants";
import { tryPattern } from "@/server/approvals/grants/try-pattern";
import { listAllowedNow } from "@/server/approvals/list-allowed-now";
import { listApprovals } from "@/server/approvals/list-approvals";
import { listGroups } from "@/server/approvals/list-groups";
import { listInbox } from "@/server/approvals/list-inbox";
import { answer } from "@/server/endpoints/answer";
import { eventStream } from "@/server/endpoints/event-stream";
import { decideMany, decideWithEdits } from "@/server/turns/answers/decide-with-edits";
import { getApprovalNow } from "@/server/turns/answers/denied-now";
import { previewApproval } from "@/server/turns/answers/preview-approval";

export const approvalAnswers = answer(approvalEndpoints, {
  list: ({ actor, query }) => listApprovals(actor, query),
  inbox: ({ actor, query }) => listInbox(actor, query),
  groups: ({ actor, query }) => listGroups(actor, query),
  allowedNow: ({ actor }) => listAllowedNow(actor),
  proposals: ({ actor, params }) => proposeGrants(actor, params.id),
  tryPattern: ({ actor, params, body }) => tryPattern(actor, params.id, body),
  get: ({ actor, params }) => getApprovalNow(actor, params.id),
  preview: ({ actor, params }) => previewApproval(actor, params.id),
  decide: ({ actor, params, body }) => decideWithEdits(actor, params.id, body),
  decideMany: ({ actor, body }) => decideMany(actor, body.decisions),
  events: async ({ actor, signal, isStillAllowed }) => eventStream({ signal, isStillAllowed }, (until) => approvalFeed(actor, until)),
});
