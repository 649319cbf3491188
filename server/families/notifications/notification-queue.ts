import { z } from "zod";
import { Id } from "@/contracts/common";
import type { Db } from "@/db/client";
import { defineQueue, enqueue } from "@/server/platform/queue";

/** One item finds the people who may decide an approval, and stores their notifications. */
export const approverQueue = defineQueue({
  name: "tell_approvers",
  title: "Approvers to notify",
  description: "One item per approval, and one for its escalation",
  input: z.object({ approvalId: Id }),
});

/** One item is one try of one notification; a mail takes along all that are due for the same person. */
export const notificationQueue = defineQueue({
  name: "send_notification",
  title: "Notifications",
  description: "One item per try of a notification",
  input: z.object({ notificationId: Id }),
  concurrency: 16,
});

type Due = { id: string; workspaceId: string; dueAt: Date };

/** Queues tries in the caller's transaction. */
export const queueNotifications = (tx: Db, rows: readonly Due[]): Promise<void> =>
  enqueue(
    tx,
    notificationQueue,
    rows.map(({ id, workspaceId, dueAt }) => ({ workspaceId, input: { notificationId: id }, startAfter: dueAt })),
  );
