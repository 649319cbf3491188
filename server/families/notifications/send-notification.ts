import "server-only";
import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { approvals, notifications } from "@/db/schema";
import { approverChats } from "@/server/approvals/approver-chats";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { storableText } from "@/server/platform/database/storable";
import { toErrorMessage } from "@/server/platform/errors";
import { bootId } from "@/server/platform/ids";
import { isReplicaGone } from "@/server/replicas/presence";
import { queueNotifications } from "./notification-queue";
import type { NotificationRow } from "./present-notifications";
import { sendDigest } from "./send-digest";
import { sendPush } from "./send-push";
import { decidedBefore } from "./tell-approvers";
import type { Outcome, Told } from "./told";

const maxAttempts = 10;
const maxPauseMs = 600_000;
const maxInOneMail = 50;

/** Makes one try of a notification that is due, and of the mails that are due for the same person. */
export async function sendNotification(notificationId: string): Promise<void> {
  const [row] = await db().select().from(notifications).where(eq(notifications.id, notificationId));
  if (!row) return;
  if (row.status === "sending") await takeFromDead(row);
  const told = await claim(row);
  const [first] = told;
  if (!first) return;
  if (first.row.channel === "messenger") return sendCard(first);
  const attempt = first.row.channel === "push" ? sendPush(first) : sendDigest(told);
  const outcome = await attempt.catch((error: unknown): Outcome => ({ status: "later", error: toErrorMessage(error) }));
  await db().transaction((tx) => settle(tx, told, outcome));
}

/**
 * A replica stopped while it sent. A push replaces the one before it at the browser, by its topic and tag, and is sent again. Whether a mail was
 * taken, nobody knows: it is shown and not repeated.
 */
async function takeFromDead(row: NotificationRow): Promise<void> {
  if (row.claimedBy === bootId() || (row.claimedBy && !(await isReplicaGone(row.claimedBy)))) return;
  const error = "The server stopped while the mail was sent. It may have arrived, so it is not repeated.";
  const isKnown = row.channel === "push";
  await db().transaction(async (tx) => {
    const [taken] = await tx
      .update(notifications)
      .set(isKnown ? { status: "pending", claimedBy: null } : { status: "unknown", claimedBy: null, error })
      .where(
        and(
          eq(notifications.id, row.id),
          eq(notifications.status, "sending"),
          sql`${notifications.claimedBy} is not distinct from ${row.claimedBy}`,
        ),
      )
      .returning();
    if (taken && !isKnown) await note(tx, taken, "notification.unknown", error);
  });
}

/** Marks what is sent now; notifications of approvals that do not wait any more are dropped. */
async function claim(row: NotificationRow): Promise<Told[]> {
  return db().transaction(async (tx) => {
    const isWithIt =
      row.channel === "email"
        ? and(eq(notifications.workspaceId, row.workspaceId), eq(notifications.userId, row.userId), eq(notifications.channel, "email"))
        : eq(notifications.id, row.id);
    const due = await tx
      .select({ row: notifications, approval: approvals })
      .from(notifications)
      .leftJoin(approvals, eq(approvals.id, notifications.approvalId))
      .where(and(isWithIt, eq(notifications.status, "pending"), lte(notifications.dueAt, sharedNow())))
      .orderBy(asc(notifications.id))
      .limit(maxInOneMail)
      .for("update", { of: notifications, skipLocked: true });
    const isOver = ({ approval }: Told) => approval !== null && approval.status !== "pending";
    const idsOf = (told: readonly Told[]) => told.map(({ row: { id } }) => id);
    await tx
      .update(notifications)
      .set({ status: "dropped", error: decidedBefore })
      .where(inArray(notifications.id, idsOf(due.filter(isOver))));
    const open = due.filter((told) => !isOver(told));
    await tx
      .update(notifications)
      .set({ status: "sending", claimedBy: bootId(), attempts: sql`${notifications.attempts} + 1` })
      .where(inArray(notifications.id, idsOf(open)));
    return open.map(({ row: claimed, approval }) => ({ row: { ...claimed, attempts: claimed.attempts + 1 }, approval }));
  });
}

/** Hands the card to the messenger, whose part tells what came of it. */
async function sendCard({ row }: Told): Promise<void> {
  await db().transaction(async (tx) => {
    const partId = row.approvalId && row.targetId ? await approverChats().sendCard(tx, row.approvalId, row.targetId) : null;
    if (!partId) return settle(tx, [{ row, approval: null }], { status: "failed", error: "The chat is not linked any more." });
    await tx
      .update(notifications)
      .set({ status: "sent", partId, claimedBy: null, error: null, sentAt: sql`now()` })
      .where(eq(notifications.id, row.id));
  });
}

async function settle(tx: Db, told: readonly Told[], outcome: Outcome): Promise<void> {
  const error = outcome.error === undefined ? null : storableText(outcome.error).slice(0, 500);
  for (const { row } of told) {
    const isAgain = outcome.status === "later" && row.attempts < maxAttempts;
    const status = isAgain ? "pending" : outcome.status === "later" ? "failed" : outcome.status;
    const [written] = await tx
      .update(notifications)
      .set({
        ...{ status, error, claimedBy: null },
        ...(status === "sent" ? { sentAt: sql`now()` } : {}),
        ...(isAgain ? { dueAt: nextTry(row.attempts, outcome.retryAfterMs) } : {}),
      })
      .where(and(eq(notifications.id, row.id), eq(notifications.status, "sending"), eq(notifications.claimedBy, bootId())))
      .returning();
    if (!written) continue;
    if (isAgain) await queueNotifications(tx, [written]);
    if (status === "failed" || status === "unknown") await note(tx, written, `notification.${status}`, error ?? "");
  }
}

const nextTry = (attempts: number, retryAfterMs = 0): Date =>
  new Date(sharedNow().getTime() + Math.min(maxPauseMs, Math.max(retryAfterMs, 5_000 * 2 ** (attempts - 1))));

const note = (
  tx: Db,
  { workspaceId, id, channel, approvalId, userId }: NotificationRow,
  event: "notification.failed" | "notification.unknown",
  error: string,
) => record(tx, { workspaceId, event, actor: systemActor, subject: id, data: { channel, approvalId, userId, error } });
