import { and, eq, ne } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { NotificationSettingsDraft } from "@/contracts/notifications/notifications";
import { approvals, auditEvents, notifications, pushDevices, pushKeys, users } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import type { Actor } from "@/server/auth/actor";
import { findMailServer } from "@/server/capabilities/network/mail-server";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize } from "@/server/testing/builders";
import { type MailReceiver, startMailReceiver } from "@/server/testing/platforms/mail-receiver";
import { type PushService, startPushService, subscribeBrowser } from "@/server/testing/platforms/push-service";
import { skipToDue } from "@/server/testing/skip-to-due";
import { onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { getMailSettings, testMailServer, updateMailSettings } from "./mail-settings";
import { listNotifications, retryNotification } from "./notification-log";
import { getNotificationSettings, updateNotificationSettings } from "./notification-settings";
import { addPushDevice, listPushDevices, testPushDevice } from "./push-devices";
import { sendNotification } from "./send-notification";
import { tellApprovers } from "./tell-approvers";

process.env.HANDRAIL_NOTIFICATIONS_ALLOW_PRIVATE = "true";
const stage = useStage();
let push: PushService;
let mail: MailReceiver;
beforeEach(async () => {
  push = await startPushService();
  mail = await startMailReceiver();
});
afterEach(async () => {
  await mail.close();
  await push.close();
});

const reader = (actor: Actor) => authorize(actor, "approvals:read");
const admin = () => authorize(stage.built.admin, "admin");
const choose = (actor: Actor, choice: Partial<NotificationSettingsDraft>) =>
  updateNotificationSettings(
    reader(actor),
    { messenger: true, email: "off", push: true, digestMinutes: 15, quietHours: null, timeZone: "UTC", rules: [], ...choice },
    null,
  );
const setUpMail = () =>
  updateMailSettings(admin(), { server: mail.address, user: "handrail", password: "right", sender: "handrail@example.com" }, null);
async function addBrowser(actor: Actor = stage.built.approver, name = "one") {
  const browser = subscribeBrowser(push, name);
  const { id } = await addPushDevice(reader(actor), browser.subscription);
  return { ...browser, id };
}
async function ask(text = "the world") {
  const turn = await submitCalls(stage, [["change", { text }]], { wait: 0 });
  return onlyApproval(turn.id);
}
const approve = (approvalId: string, actor: Actor = stage.built.approver) =>
  decideApproval(authorize(actor, "approvals:decide"), approvalId, { decision: "approve", comment: "" });
const log = async (actor: Actor = stage.built.approver) => (await listNotifications(reader(actor), {})).items;
const emailOf = async ({ id }: Actor) => (await db().select().from(users).where(eq(users.id, id)))[0]?.email;

test("who may decide gets one push and one mail per approval, with a link to the card; others get nothing", async () => {
  await setUpMail();
  await choose(stage.built.approver, { email: "at_once" });
  await choose(stage.built.admin, { email: "off" });
  const browser = await addBrowser();
  const viewers = await addBrowser(stage.built.viewer, "viewer");
  const approval = await ask();
  await expect.poll(() => browser.messages()).toHaveLength(1);
  expect(browser.messages()[0]).toMatchObject({ url: `/approvals?approval=${approval.id}`, tag: approval.id });
  expect(browser.messages()[0]?.title).toContain("needs approval");
  await expect.poll(() => mail.mails).toHaveLength(1);
  expect(mail.mails[0]).toMatchObject({
    from: { address: "handrail@example.com" },
    to: [{ address: await emailOf(stage.built.approver) }],
  });
  expect(mail.mails[0]?.text).toContain(`/approvals?approval=${approval.id}`);
  await tellApprovers(approval.id);
  expect((await log()).map(({ channel, status, attempts }) => [channel, status, attempts]).sort()).toEqual([
    ["email", "sent", 1],
    ["push", "sent", 1],
  ]);
  expect(viewers.messages()).toEqual([]);
  expect((await log(stage.built.admin)).length).toBe(2);
  expect(await log(stage.built.viewer)).toEqual([]);
  const [still] = await db().select().from(approvals).where(eq(approvals.id, approval.id));
  expect(still?.status).toBe("pending");
});

test("what waits for a digest or the end of quiet hours is dropped when the approval is decided", async () => {
  await setUpMail();
  await choose(stage.built.approver, { email: "digest", digestMinutes: 60 });
  await choose(stage.built.admin, { email: "off" });
  const approval = await ask();
  await expect.poll(async () => (await log()).map(({ status }) => status)).toEqual(["pending"]);
  await approve(approval.id);
  await expect.poll(async () => (await log()).map(({ status }) => status)).toEqual(["dropped"]);
  await skipToDue("send_notification");
  expect(mail.mails).toEqual([]);
});

test("a digest is one mail about all approvals that wait", async () => {
  await setUpMail();
  await choose(stage.built.approver, { email: "digest", digestMinutes: 60 });
  await choose(stage.built.admin, { email: "off" });
  const first = await ask("one");
  const second = await ask("two");
  await expect.poll(async () => (await log()).length).toBe(2);
  const past = new Date(Date.now() - 1_000);
  await db().update(notifications).set({ dueAt: past }).where(eq(notifications.workspaceId, stage.built.workspace.id));
  await skipToDue("send_notification");
  await expect.poll(() => mail.mails).toHaveLength(1);
  await expect.poll(async () => (await log()).map(({ status }) => status)).toEqual(["sent", "sent"]);
  expect(mail.mails[0]?.subject).toBe("2 approvals wait");
  for (const { id } of [first, second]) expect(mail.mails[0]?.text).toContain(id);
});

test("a rule of its own takes the place of the ways, and a rule that is not named keeps them", async () => {
  const browser = await addBrowser();
  const approval = await ask();
  await expect.poll(() => browser.messages()).toHaveLength(1);
  await choose(stage.built.approver, { rules: [{ ruleId: newId(), messenger: false, email: "off", push: false }] });
  await ask("again");
  await expect.poll(() => browser.messages()).toHaveLength(2);
  expect(approval.status).toBe("pending");
});

test("an ended subscription is removed, a busy service is tried again, and a refusal is shown and sent again on request", async () => {
  const browser = await addBrowser();
  push.answers.push({ status: 429, headers: { "retry-after": "7" } });
  await ask();
  await expect.poll(async () => (await log()).map(({ status, attempts }) => [status, attempts])).toEqual([["pending", 1]]);
  const [waiting] = await log();
  expect(waiting?.error).toContain("429");
  await db()
    .update(notifications)
    .set({ dueAt: new Date() })
    .where(eq(notifications.id, waiting?.id ?? ""));
  push.answers.push({ status: 400 });
  await skipToDue("send_notification");
  await expect.poll(async () => (await log()).map(({ status }) => status)).toEqual(["failed"]);
  const failed = await listNotifications(reader(stage.built.approver), { problems: "true" });
  expect(failed.items).toHaveLength(1);
  await retryNotification(reader(stage.built.approver), waiting?.id ?? "");
  await expect.poll(() => browser.messages()).toHaveLength(1);
  push.answers.push({ status: 410 });
  await testPushDevice(reader(stage.built.approver), browser.id);
  await expect.poll(async () => (await listPushDevices(reader(stage.built.approver), {})).items).toEqual([]);
  const [audited] = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.workspaceId, stage.built.workspace.id), eq(auditEvents.event, "notification.retried")));
  expect(audited?.subject).toBe(waiting?.id);
});

test("a mail whose sending was cut off is shown as not known and is not repeated; a push is", async () => {
  await setUpMail();
  await choose(stage.built.approver, { email: "digest", quietHours: null });
  await choose(stage.built.admin, { email: "off" });
  const browser = await addBrowser();
  await ask();
  await expect.poll(() => browser.messages()).toHaveLength(1);
  await expect.poll(async () => (await log()).filter(({ status }) => status === "sent")).toHaveLength(1);
  const dead = { status: "sending" as const, claimedBy: newId(), dueAt: new Date(Date.now() - 1_000) };
  const ours = eq(notifications.workspaceId, stage.built.workspace.id);
  const rows = await db().update(notifications).set(dead).where(ours).returning();
  for (const { id } of rows) await sendNotification(id);
  expect((await log()).map(({ channel, status }) => [channel, status]).sort()).toEqual([
    ["email", "unknown"],
    ["push", "sent"],
  ]);
  expect(mail.mails).toEqual([]);
  expect(push.pushed.map(({ headers }) => headers.topic)).toEqual([push.pushed[0]?.headers.topic, push.pushed[0]?.headers.topic]);
});

test("a mail server says why it refuses, its password is sealed, and does not go to another server", async () => {
  await updateMailSettings(
    admin(),
    { server: mail.address, user: "handrail", password: "wrong-one", sender: "handrail@example.com" },
    null,
  );
  const refused = await testMailServer(admin(), "ann@example.com");
  expect(refused.error).toContain("SMTP");
  expect(refused.error).not.toContain("wrong-one");
  await setUpMail();
  expect(await testMailServer(admin(), "ann@example.com")).toEqual({ to: "ann@example.com", error: null });
  expect(mail.mails[0]?.subject).toBe("Test of Handrail");
  expect(JSON.stringify(await getMailSettings(admin()))).not.toContain("right");
  const elsewhere = { server: "mail.example.net:587", user: "handrail", sender: "handrail@example.com" };
  await expect(updateMailSettings(admin(), elsewhere, null)).rejects.toThrow("Type the password again");
  await expect(findMailServer(mail.address, 465, false)).rejects.toThrow("private or local address");
});

test("the keys are made once, a browser belongs to the person who subscribed last, and bad keys are refused", async () => {
  const browser = await addBrowser();
  await addPushDevice(reader(stage.built.admin), browser.subscription);
  expect((await listPushDevices(reader(stage.built.approver), {})).items).toEqual([]);
  expect((await getNotificationSettings(reader(stage.built.admin))).reachableBy.devices).toBe(1);
  await ask();
  await expect.poll(() => browser.messages()).toHaveLength(1);
  expect(await db().select().from(pushKeys)).toHaveLength(1);
  const keys = { p256dh: Buffer.alloc(65, 4).toString("base64url"), auth: Buffer.alloc(16).toString("base64url") };
  const bad = addPushDevice(reader(stage.built.admin), { endpoint: `${push.url}/x`, keys, device: "Bad" });
  await expect(bad).rejects.toThrow("no public key");
  await expect(addPushDevice(reader({ ...stage.built.admin, type: "api_key" }), browser.subscription)).rejects.toThrow(
    "belong to a member",
  );
  expect(
    await db()
      .select()
      .from(pushDevices)
      .where(and(eq(pushDevices.workspaceId, stage.built.workspace.id), ne(pushDevices.userId, stage.built.admin.id))),
  ).toEqual([]);
});
