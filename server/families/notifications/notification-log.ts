import "server-only";
import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Notification } from "@/contracts/notifications/notifications";
import { approvals, messengerOutbound, notifications } from "@/db/schema";
import { approverChats } from "@/server/approvals/approver-chats";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { queueNotifications } from "./notification-queue";
import { type NotificationRow, presentNotifications } from "./present-notifications";

type Reader = Authorized<"approvals:read">;
type Filter = { limit?: number; cursor?: string; problems?: "true"; approvalId?: string };

/** Admins see the notifications of everybody, others their own. */
const visible = (actor: Reader) =>
  and(
    eq(notifications.workspaceId, actor.workspaceId),
    actor.permissions.has("admin") ? undefined : eq(notifications.userId, actor.personId),
  );

const isProblem = () =>
  or(
    inArray(notifications.status, ["failed", "unknown"]),
    inArray(
      notifications.partId,
      db()
        .select({ id: messengerOutbound.id })
        .from(messengerOutbound)
        .where(inArray(messengerOutbound.status, ["failed", "unknown"])),
    ),
  );

/** Lists notifications, newest first. */
export async function listNotifications(actor: Reader, { limit = 50, cursor, problems, approvalId }: Filter) {
  const found = await db()
    .select()
    .from(notifications)
    .where(
      and(
        visible(actor),
        problems ? isProblem() : undefined,
        approvalId ? eq(notifications.approvalId, approvalId) : undefined,
        cursor === undefined ? undefined : lt(notifications.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: await presentNotifications(rows), nextCursor };
}

/**
 * Sends a notification again that failed or is not known.
 * @throws AppError `not_found`; `conflict` when it waits, was sent, or its approval does not wait any more
 */
export async function retryNotification(actor: Reader, id: string): Promise<Notification> {
  const row = await db().transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(notifications)
      .where(and(visible(actor), eq(notifications.id, id)))
      .for("update");
    if (!before) throw new AppError("not_found", "This notification does not exist. The log keeps 30 days.");
    await assertRetriable(before);
    if (before.partId) await approverChats().retry(tx, before.partId);
    const again = { status: "pending" as const, attempts: 0, error: null, dueAt: sharedNow(), claimedBy: null };
    const [after] = before.partId ? [before] : await tx.update(notifications).set(again).where(eq(notifications.id, id)).returning();
    if (!after) throw new Error("A locked notification was not updated");
    if (!before.partId) await queueNotifications(tx, [after]);
    const { workspaceId, requestId } = actor;
    const data = { channel: before.channel, before: { status: before.status, error: before.error } };
    await record(tx, { workspaceId, event: "notification.retried", actor: toActorRef(actor), subject: id, data, requestId });
    return after;
  });
  const [presented] = await presentNotifications([row]);
  if (!presented) throw new Error("A notification was not presented");
  return presented;
}

async function assertRetriable(row: NotificationRow): Promise<void> {
  const refuse = (message: string) => {
    throw new AppError("conflict", message);
  };
  const [now] = await presentNotifications([row]);
  if (now?.status !== "failed" && now?.status !== "unknown") refuse("Only a notification that failed or is not known is sent again.");
  if (row.approvalId === null) return;
  const [approval] = await db().select({ status: approvals.status }).from(approvals).where(eq(approvals.id, row.approvalId));
  if (approval?.status !== "pending") refuse("The approval does not wait any more, so nobody is told of it.");
}

const atOnce = 500;
const keptDays = 30;

/** Queues tries whose work item was lost, and those of a replica that is gone. */
export async function findLostNotifications(): Promise<void> {
  const isLost = and(inArray(notifications.status, ["pending", "sending"]), lt(notifications.dueAt, sql`now() - interval '1 minute'`));
  const lost = await db().select().from(notifications).where(isLost).orderBy(notifications.dueAt).limit(atOnce);
  await queueNotifications(
    db(),
    lost.map((row) => ({ ...row, dueAt: sharedNow() })),
  );
}

export async function removeOldNotifications(): Promise<void> {
  const isOld = lt(notifications.createdAt, sql`now() - make_interval(days => ${keptDays})`);
  await db()
    .delete(notifications)
    .where(and(isOld, sql`${notifications.status} not in ('pending', 'sending')`));
}
