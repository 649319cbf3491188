import "server-only";
import { inArray } from "drizzle-orm";
import type { Notification } from "@/contracts/notifications/notifications";
import { approvals, type notifications, users } from "@/db/schema";
import { approverChats } from "@/server/approvals/approver-chats";
import { db } from "@/server/platform/database/database";

export type NotificationRow = typeof notifications.$inferSelect;

/** Converts rows to their public form. A card's state is that of the messenger's part. */
export async function presentNotifications(rows: readonly NotificationRow[]): Promise<Notification[]> {
  if (rows.length === 0) return [];
  const approvalIds = rows.flatMap(({ approvalId }) => approvalId ?? []);
  const userIds = rows.map(({ userId }) => userId);
  const asked = await db()
    .select({ id: approvals.id, summary: approvals.summary, title: approvals.toolTitle })
    .from(approvals)
    .where(inArray(approvals.id, approvalIds));
  const people = await db().select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, userIds));
  const states = await approverChats().states(rows.flatMap(({ partId }) => partId ?? []));
  return rows.map((row) => {
    const approval = asked.find(({ id }) => id === row.approvalId);
    const { status, error, attempts, sentAt } = (row.partId && states.get(row.partId)) || row;
    const { id, approvalId, userId, channel, target, dueAt, createdAt } = row;
    return {
      ...{ id, approvalId, channel, target, status, error, attempts },
      summary: approval ? `${approval.title}: ${approval.summary}` : "Test",
      person: people.find((person) => person.id === userId) ?? { id: userId, name: "A removed person" },
      dueAt: dueAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  });
}
