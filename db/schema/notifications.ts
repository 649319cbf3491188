import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import {
  mailTimings,
  type NotificationRule,
  notificationChannels,
  notificationStatuses,
} from "../../contracts/notifications/notifications";
import { createdAt, id, moment, times } from "../columns";
import { declareText } from "../personal-text";
import { approvals } from "./approvals";
import { users } from "./users";
import { workspaces } from "./workspaces";

const ofWorkspace = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });
const ofUser = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** The mail server of a workspace. */
export const mailSettings = pgTable("mail_settings", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  /** Host and port; empty: no mails are sent. */
  server: text().notNull().default(""),
  user: text().notNull().default(""),
  passwordSealed: text(),
  sender: text().notNull().default(""),
  version: integer().notNull().default(1),
  ...times,
});

/** A member's ways to hear of approvals; a member without a row has the defaults. */
export const notificationSettings = pgTable(
  "notification_settings",
  {
    workspaceId: ofWorkspace(),
    userId: ofUser(),
    messenger: boolean().notNull(),
    email: text({ enum: mailTimings }).notNull(),
    push: boolean().notNull(),
    digestMinutes: integer().notNull(),
    quietHours: jsonb().$type<{ from: string; until: string }>(),
    timeZone: text().notNull(),
    rules: jsonb().$type<NotificationRule[]>().notNull().default([]),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] }), index().on(table.userId)],
);

/** The keys that prove to push services who sends (VAPID); one row, because a browser subscribes to one key an origin. */
export const pushKeys = pgTable(
  "push_keys",
  {
    isOnly: boolean().primaryKey().default(true),
    publicKey: text().notNull(),
    /** The private key in PKCS #8, sealed. */
    privateKeySealed: text().notNull(),
    ...times,
  },
  (table) => [check("push_keys_is_one_row", sql`${table.isOnly}`)],
);

/** Browsers to which a member's notifications are pushed. */
export const pushDevices = pgTable(
  "push_devices",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    userId: ofUser(),
    endpoint: text().notNull(),
    /** The browser's public key and its secret (RFC 8291), base64url. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    device: text().notNull(),
    lastSentAt: moment(),
    lastError: text(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.workspaceId, table.endpoint), index().on(table.userId)],
);

/** Notifications to people, each stored before it is sent. */
export const notifications = pgTable(
  "notifications",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    userId: ofUser(),
    /** Absent for a test. */
    approvalId: uuid().references(() => approvals.id, { onDelete: "cascade" }),
    /** Names approval, person, channel and target, so that nobody is told twice. */
    key: text().notNull().unique(),
    channel: text({ enum: notificationChannels }).notNull(),
    /** The device or the chat. */
    targetId: uuid(),
    /** The target in words. */
    target: text().notNull(),
    status: text({ enum: notificationStatuses }).notNull().default("pending"),
    attempts: integer().notNull().default(0),
    dueAt: moment().notNull(),
    /** Boot id of the replica that sends. */
    claimedBy: uuid(),
    /** The messenger's part that carries the card, whose status counts. */
    partId: uuid(),
    error: text(),
    createdAt: createdAt(),
    sentAt: moment(),
  },
  (table) => [
    index("notifications_open").on(table.dueAt).where(sql`${table.status} in ('pending', 'sending')`),
    index().on(table.workspaceId, table.userId, table.id),
    index().on(table.workspaceId, table.id),
    index().on(table.approvalId),
    index().on(table.userId),
  ],
);

export const notificationsText = declareText({
  goes: [
    { table: notificationSettings, person: notificationSettings.userId },
    { table: pushDevices, person: pushDevices.userId },
    { table: notifications, approval: notifications.approvalId, person: notifications.userId },
  ],
  stays: [mailSettings, pushKeys],
});
