import "server-only";
import { escalationQueue, expiryQueue } from "@/server/approvals/approval-queues";
import { escalateApproval, escalateDueApprovals } from "@/server/approvals/escalate-approvals";
import { expireApproval, expireOverdueApprovals } from "@/server/approvals/expire-approvals";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { jobQueue } from "@/server/turns/background/job-queue";
import { runJob } from "@/server/turns/background/run-job";
import type { FamilyWork } from "./family-work";
import { removeFinishedItems } from "./remove-finished-items";
import { type HandledQueue, handled } from "./run-queue";
import { lostWorkQueue, oldRowsQueue, partitionsQueue } from "./schedules";

/** All durable work of the product, except turns, because turns keep a journal of their own. */
export function handledQueues(families: FamilyWork): HandledQueue[] {
  return [
    ...families.queues,
    handled(expiryQueue, ({ approvalId }) => expireApproval(approvalId)),
    handled(escalationQueue, ({ approvalId }) => escalateApproval(approvalId)),
    handled(jobQueue, ({ jobId }) => runJob(jobId)),
    handled(oldRowsQueue, async () => {
      for (const remove of families.removeOldRows) await remove();
      await removeFinishedItems();
    }),
    handled(partitionsQueue, () => ensureAuditPartitions()),
    handled(lostWorkQueue, async () => {
      await expireOverdueApprovals();
      await escalateDueApprovals();
      for (const find of families.findLostWork) await find();
    }),
  ];
}
