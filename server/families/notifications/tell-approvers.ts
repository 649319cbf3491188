import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { approvals, mailSettings, messengers, notifications, pushDevices } from "@/db/schema";
import { approverChats } from "@/server/approvals/approver-chats";
import { type Approver, listApprovers } from "@/server/approvals/list-approvers";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import type { PublishedEvent, Subscriber } from "@/server/platform/extension-points/outbox";
import { enqueue } from "@/server/platform/queue";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { dueTime } from "./due-time";
import { findWorkspaceMailServer } from "./mail-settings";
import { approverQueue, queueNotifications } from "./notification-queue";
import { type Choice, loadChoices } from "./notification-settings";

/** True when any way to reach people outside of the console is set up. */
const isAnybodyReachable = (workspaceId: string) => sql<boolean>`
  exists (select from ${mailSettings} where ${mailSettings.workspaceId} = ${workspaceId} and ${mailSettings.server} <> '')
  or exists (select from ${pushDevices} where ${pushDevices.workspaceId} = ${workspaceId})
  or exists (select from ${messengers} where ${messengers.workspaceId} = ${workspaceId} and ${messengers.enabled})`;

const readsWays = async (tx: Db, workspaceId: string): Promise<boolean> => {
  const [row] = await tx.execute<{ is: boolean }>(sql`select (${isAnybodyReachable(workspaceId)}) as "is"`);
  return row?.is === true;
};

const hasWays = versionedCache("notifications.ways", (workspaceId) => readsWays(db(), workspaceId));

/** Tells approvers of approvals, in the transaction of the approval; notifications that wait are dropped when it is decided. */
export const approvalSubscriber: Subscriber = {
  isWanted: async (workspaceId, event, configVersion) =>
    (event === "approval.decided" || event === "approval.escalated") && (await hasWays(workspaceId, configVersion)),
  queue: async (tx, events) => {
    for (const published of events) {
      const { event, workspaceId } = published;
      const approvalId = approvalOf(published);
      if (event === "approval.decided") await dropPending(tx, approvalId);
      if ((event === "approval.requested" || event === "approval.escalated") && (await readsWays(tx, workspaceId)))
        await enqueue(tx, approverQueue, [{ workspaceId, input: { approvalId } }]);
    }
  },
};

const approvalOf = ({ payload }: PublishedEvent): string => String(payload.approvalId);

export const decidedBefore = "The approval was decided or expired before.";

const dropPending = (tx: Db, approvalId: string) =>
  tx
    .update(notifications)
    .set({ status: "dropped", error: decidedBefore })
    .where(and(eq(notifications.approvalId, approvalId), eq(notifications.status, "pending")));

type ApprovalRow = typeof approvals.$inferSelect;
type NewNotification = typeof notifications.$inferInsert;

/** Stores a notification for each way of each person who may decide; a person who was told already is not told again. */
export async function tellApprovers(approvalId: string): Promise<void> {
  await db().transaction(async (tx) => {
    // The lock makes a decision wait, so that the decision drops what is stored here.
    const [approval] = await tx.select().from(approvals).where(eq(approvals.id, approvalId)).for("share");
    if (approval?.status !== "pending") return;
    const rows = await notificationsFor(tx, approval);
    if (rows.length === 0) return;
    const stored = await tx.insert(notifications).values(rows).onConflictDoNothing({ target: notifications.key }).returning();
    await queueNotifications(tx, stored);
  });
}

async function notificationsFor(tx: Db, approval: ApprovalRow): Promise<NewNotification[]> {
  const { workspaceId } = approval;
  const people = await listApprovers(tx, approval);
  const ids = people.map(({ id }) => id);
  const choiceOf = await loadChoices(tx, workspaceId, ids);
  const hasMail = !("error" in (await findWorkspaceMailServer(workspaceId, tx)));
  const chats = await approverChats().find(tx, workspaceId, ids);
  const devices = await tx.select().from(pushDevices).where(eq(pushDevices.workspaceId, workspaceId));
  const now = sharedNow();
  return people.flatMap((person) => {
    const choice = choiceForRule(choiceOf(person.id), approval.ruleId);
    const chat = choice.messenger ? chats.find(({ userId }) => userId === person.id) : undefined;
    const pushed = choice.push ? devices.filter(({ userId }) => userId === person.id) : [];
    const make = notificationOf(approval, person, choice, now);
    return [
      ...(chat ? [make("messenger", chat.title, chat.chatId)] : []),
      ...(hasMail && choice.email !== "off" ? [make("email", person.email, null)] : []),
      ...pushed.map(({ id, device }) => make("push", device, id)),
    ];
  });
}

const choiceForRule = (choice: Choice, ruleId: string | null): Choice => ({
  ...choice,
  ...choice.rules.find((rule) => rule.ruleId === ruleId),
});

const notificationOf =
  ({ id: approvalId, workspaceId }: ApprovalRow, person: Approver, choice: Choice, now: Date) =>
  (channel: "messenger" | "email" | "push", target: string, targetId: string | null): NewNotification => ({
    ...{ workspaceId, approvalId, userId: person.id, channel, target, targetId },
    key: [approvalId, person.id, channel, targetId ?? target].join(":"),
    dueAt: dueTime(channel, choice, now),
  });
