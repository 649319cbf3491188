import { and, desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { WebhookDraft } from "@/contracts/hooks/webhooks";
import { auditEvents, webhookDeliveries, webhooks as webhookTable } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { callbackHttp } from "@/server/capabilities/callbacks/callback-http";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { webhookReceiver } from "@/server/testing/services/webhook-receiver";
import { useTestDatabase } from "@/server/testing/test-database";
import { removeOldDeliveries } from "./keep-deliveries";
import { queueDeliveries, wantsWebhooks } from "./queue-deliveries";
import { deliverWebhook } from "./try-delivery";
import { createWebhook, rotateWebhookSecret, webhooks } from "./webhooks";

useTestDatabase();

const writer = (actor: Actor) => authorize(actor, "hooks:write");
const draftOf = (values: Partial<WebhookDraft> = {}): WebhookDraft => ({
  name: `hook-${newId()}`,
  url: "https://example.com/hooks/secret-path",
  events: ["turn.finished"],
  enabled: true,
  ...values,
});

async function latestEvent(workspaceId: string) {
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.workspaceId, workspaceId))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(1);
  return event;
}

test("a secret is shown when it is made and never again, and is not stored as it is", async () => {
  const { admin } = await buildWorkspace();
  const { secret, ...webhook } = await createWebhook({ actor: writer(admin), body: draftOf() });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  expect(await webhooks.get({ actor: writer(admin), params: { id: webhook.id } })).toEqual(webhook);
  const [row] = await db().select().from(webhookTable).where(eq(webhookTable.id, webhook.id));
  expect(row?.secret).not.toContain(secret.slice(6));

  const rotated = await rotateWebhookSecret({ actor: writer(admin), params: { id: webhook.id } });
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.version).toBe(webhook.version + 1);
});

test("each change stands in the audit, which never holds the whole address", async () => {
  const { workspace, admin } = await buildWorkspace();
  const draft = draftOf({ name: "desk" });
  const { id, version } = await createWebhook({ actor: writer(admin), body: draft });
  expect(await latestEvent(workspace.id)).toMatchObject({
    event: "webhook.created",
    subject: id,
    data: { name: "desk", host: "example.com" },
  });
  await webhooks.update({
    actor: writer(admin),
    params: { id },
    body: { ...draft, name: "front desk", events: ["turn.finished", "turn.finished"] },
    version,
  });
  expect(await latestEvent(workspace.id)).toMatchObject({
    event: "webhook.updated",
    data: { name: "front desk", events: ["turn.finished"], before: { name: "desk" } },
  });
  await rotateWebhookSecret({ actor: writer(admin), params: { id } });
  expect(await latestEvent(workspace.id)).toMatchObject({ event: "webhook.secret_rotated" });
  await webhooks.remove({ actor: writer(admin), params: { id }, version: null });
  expect(await latestEvent(workspace.id)).toMatchObject({ event: "webhook.removed", data: { name: "front desk" } });
  const all = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspace.id));
  expect(JSON.stringify(all)).not.toContain("secret-path");
});

test("a stale change, a name that is taken and another workspace's webhook are refused", async () => {
  const { admin } = await buildWorkspace();
  const other = await buildWorkspace();
  const first = await createWebhook({ actor: writer(admin), body: draftOf({ name: "first" }) });
  const second = await createWebhook({ actor: writer(admin), body: draftOf({ name: "second" }) });
  await expect(createWebhook({ actor: writer(admin), body: draftOf({ name: "first" }) })).rejects.toMatchObject({ code: "conflict" });
  await expect(
    webhooks.update({ actor: writer(admin), params: { id: second.id }, body: draftOf({ name: "first" }), version: null }),
  ).rejects.toMatchObject({ code: "conflict" });
  await expect(createWebhook({ actor: writer(other.admin), body: draftOf({ name: "first" }) })).resolves.toMatchObject({ name: "first" });
  await rotateWebhookSecret({ actor: writer(admin), params: { id: first.id } });
  const late = [
    () => webhooks.update({ actor: writer(admin), params: { id: first.id }, body: draftOf(), version: first.version }),
    () => webhooks.remove({ actor: writer(admin), params: { id: first.id }, version: first.version }),
  ];
  for (const change of late) await expect(change()).rejects.toMatchObject({ code: "stale_version" });
  const strange = [
    () => webhooks.get({ actor: writer(other.admin), params: { id: first.id } }),
    () => webhooks.update({ actor: writer(other.admin), params: { id: first.id }, body: draftOf(), version: null }),
    () => rotateWebhookSecret({ actor: writer(other.admin), params: { id: first.id } }),
    () => webhooks.remove({ actor: writer(other.admin), params: { id: first.id }, version: null }),
  ];
  for (const attempt of strange) await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
});

test("subscriptions of a workspace are known from memory and follow every change", async () => {
  const { workspace, admin } = await buildWorkspace();
  const wants = () => wantsWebhooks(workspace.id, "turn.suspended");
  expect(await wants()).toBe(false);
  const draft = draftOf({ events: ["turn.suspended"] });
  const { id } = await createWebhook({ actor: writer(admin), body: draft });
  expect(await wants()).toBe(true);
  expect(await wantsWebhooks(workspace.id, "turn.finished")).toBe(false);
  await webhooks.update({ actor: writer(admin), params: { id }, body: { ...draft, enabled: false }, version: null });
  expect(await wants()).toBe(false);
  await webhooks.update({ actor: writer(admin), params: { id }, body: draft, version: null });
  expect(await wants()).toBe(true);
  await webhooks.remove({ actor: writer(admin), params: { id }, version: null });
  expect(await wants()).toBe(false);
});

test("a webhook that is removed while a turn ends fails nothing and leaves nothing behind", async () => {
  const { workspace, admin } = await buildWorkspace();
  const { id } = await createWebhook({ actor: writer(admin), body: draftOf() });
  const queueing = () =>
    db().transaction((tx) => queueDeliveries(tx, [{ workspaceId: workspace.id, event: "turn.finished", payload: {} }]));
  await Promise.all([
    queueing(),
    queueing(),
    webhooks.remove({ actor: writer(admin), params: { id }, version: null }),
    queueing(),
    queueing(),
  ]);
  expect(await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.workspaceId, workspace.id))).toEqual([]);
});

test("webhooks are listed in order, each with its newest delivery", async () => {
  const { workspace, admin } = await buildWorkspace();
  const first = await createWebhook({ actor: writer(admin), body: draftOf() });
  const second = await createWebhook({ actor: writer(admin), body: draftOf({ events: ["approval.requested"] }) });
  for (const status of ["old", "new"]) {
    await db().transaction((tx) => queueDeliveries(tx, [{ workspaceId: workspace.id, event: "turn.finished", payload: { status } }]));
  }
  const rows = await db()
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.workspaceId, workspace.id))
    .orderBy(desc(webhookDeliveries.id));
  const page = await webhooks.list({ actor: writer(admin), query: { limit: 1 } });
  expect(page.items).toMatchObject([{ id: first.id, lastDelivery: { id: rows[0]?.id, status: "pending" } }]);
  const rest = await webhooks.list({ actor: writer(admin), query: { limit: 1, cursor: page.nextCursor ?? undefined } });
  expect(rest).toMatchObject({ items: [{ id: second.id, lastDelivery: null }], nextCursor: null });
});

test.each([
  "http://127.0.0.1:8080/",
  "http://[::1]/",
  "http://10.1.2.3/",
  "http://localhost:3000/",
  "http://169.254.169.254/latest",
  "http://2130706433/",
])("%s is refused unless an operator allows private addresses", async (url) => {
  const { admin } = await buildWorkspace();
  await expect(createWebhook({ actor: writer(admin), body: draftOf({ url }) })).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("HANDRAIL_WEBHOOK_ALLOW_PRIVATE"),
    details: { errors: [{ path: "url" }] },
  });
});

test("a name that leads to a private address is refused on the connection, and nothing is tried again", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver();
  await db().transaction((tx) =>
    queueDeliveries(tx, [{ workspaceId: workspace.id, event: "turn.finished", callbackUrl: receiver.url, payload: {} }]),
  );
  const [queued] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.workspaceId, workspace.id));
  await deliverWebhook({ deliveryId: queued?.id ?? "", attempt: 1, lostBefore: 0 }, { http: callbackHttp() });
  expect(receiver.received).toEqual([]);
  const [row] = await db()
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.workspaceId, workspace.id)));
  expect(row).toMatchObject({ status: "failed", attempts: 1, lastStatus: null, lastError: expect.stringContaining("private") });
  expect(await latestEvent(workspace.id)).toMatchObject({ event: "webhook.delivery_failed", subject: row?.id });
  await expect(createWebhook({ actor: writer(admin), body: draftOf() })).resolves.toBeDefined();
});

test("the log keeps 30 days, and whatever still waits", async () => {
  const { workspace } = await buildWorkspace();
  const queueTo = (callbackUrl: string) =>
    db().transaction((tx) => queueDeliveries(tx, [{ workspaceId: workspace.id, event: "turn.finished", callbackUrl, payload: {} }]));
  await queueTo("https://example.com/done");
  await queueTo("https://example.com/waiting");
  await db().update(webhookDeliveries).set({ status: "delivered" }).where(eq(webhookDeliveries.url, "https://example.com/done"));
  const urls = async () =>
    (await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.workspaceId, workspace.id))).map(({ url }) => url).sort();
  const dayMs = 86_400_000;
  await removeOldDeliveries(new Date(Date.now() + 29 * dayMs));
  expect(await urls()).toHaveLength(2);
  await removeOldDeliveries(new Date(Date.now() + 31 * dayMs));
  expect(await urls()).toEqual(["https://example.com/waiting"]);
});
