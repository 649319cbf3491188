import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { NotificationSettings, NotificationSettingsDraft } from "@/contracts/notifications/notifications";
import type { Db } from "@/db/client";
import { notificationSettings, pushDevices, users } from "@/db/schema";
import { approverChats } from "@/server/approvals/approver-chats";
import { record } from "@/server/audit/record";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findWorkspaceMailServer } from "./mail-settings";

type Reader = Authorized<"approvals:read">;
type Row = typeof notificationSettings.$inferSelect;
export type Choice = Omit<NotificationSettingsDraft, never>;

/** A member who has chosen nothing is reached in every way that is set up. */
const defaults: Choice = {
  messenger: true,
  email: "at_once",
  push: true,
  digestMinutes: 15,
  quietHours: null,
  timeZone: "UTC",
  rules: [],
};

const ofPerson = (workspaceId: string, userId: string) =>
  and(eq(notificationSettings.workspaceId, workspaceId), eq(notificationSettings.userId, userId));

/** @throws AppError `forbidden` for an API key */
export function requirePerson(actor: Actor): void {
  if (actor.type !== "user") throw new AppError("forbidden", "Notifications belong to a member. Sign in to the console.");
}

export async function getNotificationSettings(actor: Reader): Promise<NotificationSettings> {
  requirePerson(actor);
  const [row] = await db().select().from(notificationSettings).where(ofPerson(actor.workspaceId, actor.id));
  return present(actor, row);
}

/** @throws AppError `stale_version`, `forbidden` for an API key */
export async function updateNotificationSettings(
  actor: Reader,
  draft: NotificationSettingsDraft,
  version: number | null,
): Promise<NotificationSettings> {
  requirePerson(actor);
  const { workspaceId, id: userId } = actor;
  const saved = await db().transaction(async (tx) => {
    // Inserts the row first, because a missing row cannot be locked.
    await tx
      .insert(notificationSettings)
      .values({ workspaceId, userId, ...defaults, version: 0 })
      .onConflictDoNothing();
    const [before] = await tx.select().from(notificationSettings).where(ofPerson(workspaceId, userId)).for("update");
    if (!before) throw new Error("A row that was just inserted is missing");
    if (version !== null && version !== before.version) {
      throw new AppError("stale_version", "These settings were changed meanwhile. Reload them, then repeat your change.");
    }
    const [row] = await tx
      .update(notificationSettings)
      .set({ ...draft, version: before.version + 1 })
      .where(ofPerson(workspaceId, userId))
      .returning();
    if (!row) throw new Error("A locked row was not updated");
    const { requestId } = actor;
    const data = { new: choiceOf(row), old: choiceOf(before) };
    await record(tx, { workspaceId, event: "notification_settings.updated", actor: toActorRef(actor), subject: userId, data, requestId });
    return row;
  });
  return present(actor, saved);
}

const choiceOf = ({ messenger, email, push, digestMinutes, quietHours, timeZone, rules }: Row): Choice => ({
  ...{ messenger, email, push, digestMinutes, quietHours, timeZone, rules },
});

/** Loads the choices of members; those who have chosen nothing have the defaults. */
export async function loadChoices(tx: Db, workspaceId: string, userIds: readonly string[]): Promise<(userId: string) => Choice> {
  const rows = await tx
    .select()
    .from(notificationSettings)
    .where(and(eq(notificationSettings.workspaceId, workspaceId), inArray(notificationSettings.userId, [...userIds])));
  const chosen = new Map(rows.map((row) => [row.userId, choiceOf(row)]));
  return (userId) => chosen.get(userId) ?? defaults;
}

async function present({ workspaceId, id }: Reader, row: Row | undefined): Promise<NotificationSettings> {
  const [person] = await db().select({ email: users.email }).from(users).where(eq(users.id, id));
  const server = await findWorkspaceMailServer(workspaceId);
  const chats = await approverChats().find(db(), workspaceId, [id]);
  const devices = await db().$count(pushDevices, and(eq(pushDevices.workspaceId, workspaceId), eq(pushDevices.userId, id)));
  return {
    ...(row ? choiceOf(row) : defaults),
    reachableBy: { email: "error" in server ? null : (person?.email ?? null), chats: chats.map(({ title }) => title), devices },
    version: row?.version ?? 0,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}
