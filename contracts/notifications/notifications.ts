import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

/** The ways by which an approver is reached outside of the console. */
export const notificationChannels = ["messenger", "email", "push"] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** `digest`: approvals of some minutes come in one mail. */
export const mailTimings = ["off", "at_once", "digest"] as const;
export type MailTiming = (typeof mailTimings)[number];

/** `unknown`: it may have been sent, and is not repeated by itself. `dropped`: the approval was decided before. */
export const notificationStatuses = ["pending", "sending", "sent", "failed", "unknown", "dropped"] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");

const isTimeZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

const QuietHours = z
  .strictObject({ from: clockTime, until: clockTime })
  .refine(({ from, until }) => from !== until, { message: "must end at another time than it begins", path: ["until"] });

const ways = {
  messenger: z.boolean().describe("Sends the card to the linked private chat."),
  email: z.enum(mailTimings),
  push: z.boolean().describe("Notifies the installed pages."),
};

export const NotificationRule = z.strictObject({ ruleId: Id, ...ways });
export type NotificationRule = z.infer<typeof NotificationRule>;

export const NotificationSettingsDraft = z
  .strictObject({
    ...ways,
    digestMinutes: z.number().int().min(5, "at least 5 minutes").max(1_440, "at most a day").default(15),
    quietHours: QuietHours.nullable().default(null).describe("Nothing is sent in these hours; what came meanwhile is sent at their end."),
    timeZone: z.string().max(60).refine(isTimeZone, "must be a time zone such as Europe/Berlin").default("UTC"),
    rules: z
      .array(NotificationRule)
      .max(50, "at most 50 rules")
      .refine((rules) => new Set(rules.map(({ ruleId }) => ruleId)).size === rules.length, "name a rule once")
      .default([])
      .describe("Ways for the approvals of single guard rules, in place of the ways above."),
  })
  .meta({
    examples: [
      {
        messenger: true,
        email: "digest",
        push: true,
        digestMinutes: 15,
        quietHours: { from: "22:00", until: "07:00" },
        timeZone: "Europe/Berlin",
      },
    ],
  });
export type NotificationSettingsDraft = z.infer<typeof NotificationSettingsDraft>;

export const NotificationSettings = z
  .object({
    ...ways,
    digestMinutes: z.number().int(),
    quietHours: z.object({ from: z.string(), until: z.string() }).nullable(),
    timeZone: z.string(),
    rules: z.array(z.object({ ruleId: Id, ...ways })),
    reachableBy: z
      .object({
        email: z.string().nullable().describe("The address to which mails go; `null`: the workspace has no mail server."),
        chats: z.array(z.string()).describe("Linked private chats."),
        devices: z.number().int().describe("Installed pages."),
      })
      .describe("How the person can be reached now."),
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("`null`: the person has not changed the defaults."),
  })
  .meta({ id: "NotificationSettings" });
export type NotificationSettings = z.infer<typeof NotificationSettings>;

export const Notification = z
  .object({
    id: Id,
    approvalId: Id.nullable().describe("`null`: a test."),
    summary: z.string(),
    person: z.object({ id: Id, name: z.string() }),
    channel: z.enum(notificationChannels),
    target: z.string().describe("The address, the chat or the device."),
    status: z.enum(notificationStatuses),
    attempts: z.number().int(),
    error: z.string().nullable(),
    dueAt: Timestamp.describe("When it is sent, or tried next."),
    sentAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof Notification>;

const base64url = (bytes: number) =>
  z
    .string()
    .regex(/^[\w-]+={0,2}$/, "must be base64url")
    .refine((text) => Math.floor((text.replace(/=+$/, "").length * 3) / 4) === bytes, `must have ${bytes} bytes`);

export const PushSubscriptionDraft = z
  .strictObject({
    endpoint: z.url({ protocol: /^https?$/, error: "write an https address" }).max(2_000),
    keys: z.strictObject({ p256dh: base64url(65), auth: base64url(16) }),
    device: z.string().trim().min(1, "needs a name").max(100).describe("Names the device to its owner."),
  })
  .meta({
    examples: [
      {
        endpoint: "https://push.example.com/send/4711",
        keys: {
          p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          auth: "BTBZMqHH6r4Tts7J_aSIgg",
        },
        device: "Chrome on Android",
      },
    ],
  });
export type PushSubscriptionDraft = z.infer<typeof PushSubscriptionDraft>;

export const PushDevice = z
  .object({
    id: Id,
    device: z.string(),
    host: z.string().describe("The push service of the browser."),
    lastSentAt: Timestamp.nullable(),
    lastError: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "PushDevice" });
export type PushDevice = z.infer<typeof PushDevice>;

const params = z.object({ id: Id });

export const notificationEndpoints = {
  getSettings: endpoint({
    method: "GET",
    path: "/api/v1/notification-settings",
    summary: "How the signed-in person hears of approvals",
    permission: "approvals:read",
    response: NotificationSettings,
  }),
  updateSettings: endpoint({
    method: "PUT",
    path: "/api/v1/notification-settings",
    summary: "Choose how the signed-in person hears of approvals",
    headers: ["If-Match"],
    permission: "approvals:read",
    body: NotificationSettingsDraft,
    response: NotificationSettings,
  }),
  list: endpoint({
    method: "GET",
    path: "/api/v1/notifications",
    summary: "Notifications of the last 30 days, newest first; admins see those of everybody",
    permission: "approvals:read",
    query: z.object({
      ...pageQuery,
      problems: z.enum(["true"]).optional().describe("Only what failed or is not known."),
      approvalId: Id.optional(),
    }),
    response: listOf(Notification),
  }),
  retry: endpoint({
    method: "POST",
    path: "/api/v1/notifications/{id}/retry",
    summary: "Send a notification again that failed or is not known",
    permission: "approvals:read",
    params,
    response: Notification,
    status: 202,
  }),
  pushKey: endpoint({
    method: "GET",
    path: "/api/v1/push-key",
    summary: "The key with which a browser subscribes to pushes (VAPID, RFC 8292); made at first use",
    permission: "approvals:read",
    response: z.object({ publicKey: z.string() }).meta({ id: "PushKey" }),
  }),
  listDevices: endpoint({
    method: "GET",
    path: "/api/v1/push-subscriptions",
    summary: "Devices of the signed-in person that get pushes",
    permission: "approvals:read",
    query: z.object(pageQuery),
    response: listOf(PushDevice),
  }),
  addDevice: endpoint({
    method: "POST",
    path: "/api/v1/push-subscriptions",
    summary: "Push to a browser of the signed-in person; the same subscription again replaces the first",
    permission: "approvals:read",
    body: PushSubscriptionDraft,
    response: PushDevice,
    status: 201,
  }),
  removeDevice: endpoint({
    method: "DELETE",
    path: "/api/v1/push-subscriptions/{id}",
    summary: "Push to a device no more",
    permission: "approvals:read",
    params,
    response: Empty,
  }),
  testDevice: endpoint({
    method: "POST",
    path: "/api/v1/push-subscriptions/{id}/test",
    summary: "Push a test to a device",
    permission: "approvals:read",
    params,
    response: Notification,
    status: 202,
  }),
};

export const notificationContract = defineContract({
  reference: {
    name: "Notifications",
    description: "How approvers hear of approvals outside of the console: messenger, e-mail and push to an installed page.",
  },
  glossary: {
    notification: "A message by which an approver hears of an approval outside of the console: in a linked chat, by e-mail or as a push.",
    "quiet hours": "The hours in which a person gets no notifications. What came meanwhile is sent at their end.",
  },
  endpoints: notificationEndpoints,
  audit: {
    "notification_settings.updated": "Notification settings updated",
    "notification.failed": "Notification not delivered",
    "notification.unknown": "Notification whose delivery is not known",
    "notification.retried": "Notification sent again",
    "push_device.added": "Device for pushes added",
    "push_device.removed": "Device for pushes removed",
  },
});
