import { createHmac } from "node:crypto";
import { and, eq, lte } from "drizzle-orm";
import { expect, test } from "vitest";
import type { WebhookDraft } from "@/contracts/hooks/webhooks";
import { auditEvents, webhookDeliveries } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { callbackSecretOf } from "@/server/capabilities/callbacks/callback-secret";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { provideEngine } from "@/server/platform/queue";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { type ReceivedDelivery, webhookReceiver } from "@/server/testing/services/webhook-receiver";
import { useTestDatabase } from "@/server/testing/test-database";
import { getDelivery, listDeliveries, redeliver } from "./deliveries";
import { findLostDeliveries } from "./keep-deliveries";
import { queueDeliveries } from "./queue-deliveries";
import { maxAttempts } from "./retry-delay";
import { testWebhook } from "./test-webhook";
import { claimDelivery, deliverWebhook, tryDelivery } from "./try-delivery";
import { createWebhook, rotateWebhookSecret, webhooks } from "./webhooks";

process.env.HANDRAIL_WEBHOOK_ALLOW_PRIVATE = "true";
useTestDatabase();

const http = guardedHttp({ allowPrivateAddresses: true });
const dayMs = 86_400_000;
const writer = (actor: Actor) => authorize(actor, "hooks:write");
const draftOf = (url: string, values: Partial<WebhookDraft> = {}): WebhookDraft => ({
  name: `hook-${newId()}`,
  url,
  events: ["turn.finished"],
  enabled: true,
  ...values,
});

/** Queues one `turn.finished`, as a turn would. */
async function finishTurn(workspaceId: string, { callbackUrl, turnId = newId() }: { callbackUrl?: string; turnId?: string } = {}) {
  await db().transaction((tx) =>
    queueDeliveries(tx, [{ workspaceId, event: "turn.finished", turnId, callbackUrl, payload: { status: "completed" } }]),
  );
  return turnId;
}

/** Makes every try that is due at `now`, as the queue's workers would. */
async function deliver(now: Date): Promise<void> {
  const { status, nextAttemptAt } = webhookDeliveries;
  const due = await db()
    .select()
    .from(webhookDeliveries)
    .where(and(eq(status, "pending"), lte(nextAttemptAt, now)))
    .orderBy(webhookDeliveries.id);
  for (const { id, attempts } of due) {
    await deliverWebhook({ deliveryId: id, attempt: attempts + 1, lostBefore: 0 }, { http, now: () => now });
  }
}

async function onlyDelivery(actor: Actor) {
  const { items } = await listDeliveries(writer(actor));
  const [delivery] = items;
  if (items.length !== 1 || !delivery) throw new Error(`There are ${items.length} deliveries, not one`);
  return delivery;
}

/** Verifies a signature as a receiver would, from the documentation alone. */
function isSigned({ headers, body }: ReceivedDelivery, secret: string): boolean {
  const [, seconds, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["handrail-signature"])) ?? [];
  return digest !== undefined && createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex") === digest;
}

const failuresOf = (deliveryId: string) =>
  db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, "webhook.delivery_failed"), eq(auditEvents.subject, deliveryId)));

test("an event that a webhook wants arrives signed, with its name, its id and its body", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver();
  const { id, secret } = await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  const turnId = await finishTurn(workspace.id);
  const now = new Date();
  await deliver(now);

  const [received] = receiver.received;
  if (!received) throw new Error("Nothing arrived");
  const delivery = await onlyDelivery(admin);
  expect(isSigned(received, secret)).toBe(true);
  expect(isSigned(received, `${secret}x`)).toBe(false);
  expect(received.headers).toMatchObject({
    "content-type": "application/json",
    "handrail-event": "turn.finished",
    "handrail-delivery": delivery.id,
  });
  expect(JSON.parse(received.body)).toEqual({
    id: delivery.id,
    event: "turn.finished",
    createdAt: delivery.createdAt,
    workspaceId: workspace.id,
    turnId,
    data: { status: "completed" },
  });
  expect(delivery).toMatchObject({
    webhookId: id,
    turnId,
    status: "delivered",
    attempts: 1,
    lastStatus: 204,
    lastError: null,
    nextAttemptAt: null,
    deliveredAt: now.toISOString(),
  });
  expect((await getDelivery(writer(admin), delivery.id)).body).toEqual(JSON.parse(received.body));
});

test("nothing is sent for an event that nobody wants, to a webhook that is off, or when the transaction fails", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver();
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url, { events: ["approval.requested"] }) });
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url, { enabled: false }) });
  await finishTurn(workspace.id);
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  const failing = db().transaction(async (tx) => {
    await queueDeliveries(tx, [{ workspaceId: workspace.id, event: "turn.finished", payload: {} }]);
    throw new Error("The turn did not commit");
  });
  await expect(failing).rejects.toThrow("did not commit");
  await deliver(new Date());
  expect((await listDeliveries(writer(admin))).items).toEqual([]);
  expect(receiver.received).toEqual([]);
});

test("the callback address of a turn gets its event without any webhook, signed with the secret of the workspace", async () => {
  const { workspace, admin } = await buildWorkspace();
  const other = await buildWorkspace();
  const receiver = await webhookReceiver();
  await finishTurn(workspace.id, { callbackUrl: receiver.url });
  await deliver(new Date());
  const [received] = receiver.received;
  if (!received) throw new Error("Nothing arrived");
  expect(isSigned(received, callbackSecretOf(admin.workspaceId))).toBe(true);
  expect(isSigned(received, callbackSecretOf(other.admin.workspaceId))).toBe(false);
  expect(await onlyDelivery(admin)).toMatchObject({ webhookId: null, status: "delivered", url: receiver.url });
});

test("a receiver that fails twice gets the same delivery a third time, later each time", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver((response, place) =>
    place < 2 ? response.writeHead(503).end(`not now ${"x".repeat(5_000)}`) : response.writeHead(200).end("ok"),
  );
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  await finishTurn(workspace.id);
  const start = new Date();
  await deliver(start);

  const first = await onlyDelivery(admin);
  expect(first).toMatchObject({ status: "pending", attempts: 1, lastStatus: 503, lastAttemptAt: start.toISOString() });
  expect(first.lastError).toMatch(/^It answered 503: not now x+$/);
  expect(first.lastError?.length).toBeLessThan(1_100);
  const wait = Date.parse(first.nextAttemptAt ?? "") - start.getTime();
  expect(wait).toBeGreaterThanOrEqual(9_000);
  expect(wait).toBeLessThanOrEqual(11_000);

  await deliver(new Date(start.getTime() + 1_000));
  expect(receiver.received, "it is not due yet").toHaveLength(1);
  await deliver(new Date(start.getTime() + 11_000));
  await deliver(new Date(start.getTime() + 60_000));
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ headers }) => headers["handrail-delivery"])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(await onlyDelivery(admin)).toMatchObject({ status: "delivered", attempts: 3, lastStatus: 200, lastError: null });
});

test("a delivery that nobody takes fails after a day of tries, once, and the audit says so without the address", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver((response) => response.writeHead(500).end());
  const webhook = await createWebhook({ actor: writer(admin), body: draftOf(`${receiver.url}?token=of-the-receiver`) });
  const turnId = await finishTurn(workspace.id);
  const start = Date.now();
  let now = start;
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    await deliver(new Date(now));
    now = Date.parse((await onlyDelivery(admin)).nextAttemptAt ?? new Date(now).toISOString());
  }
  const delivery = await onlyDelivery(admin);
  expect(delivery).toMatchObject({ status: "failed", attempts: maxAttempts, lastStatus: 500, nextAttemptAt: null });
  expect(now - start).toBeGreaterThan(0.85 * dayMs);
  await deliver(new Date(now + 10 * dayMs));
  expect(receiver.received).toHaveLength(maxAttempts);
  const failures = await failuresOf(delivery.id);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatchObject({ turnId, actorType: "system", data: { name: webhook.name, attempts: maxAttempts, lastStatus: 500 } });
  expect(JSON.stringify(failures[0])).not.toContain("of-the-receiver");
});

test("410 Gone ends the tries at once", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver((response) => response.writeHead(410).end());
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  await finishTurn(workspace.id);
  await deliver(new Date());
  expect(await onlyDelivery(admin)).toMatchObject({ status: "failed", attempts: 1, lastStatus: 410, nextAttemptAt: null });
});

test("a redirect is not followed, and the log says where it points", async () => {
  const { workspace, admin } = await buildWorkspace();
  const elsewhere = await webhookReceiver();
  const receiver = await webhookReceiver((response) => response.writeHead(307, { location: elsewhere.url }).end());
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  await finishTurn(workspace.id);
  await deliver(new Date());
  expect(elsewhere.received).toEqual([]);
  expect(await onlyDelivery(admin)).toMatchObject({
    status: "pending",
    lastStatus: 307,
    lastError: expect.stringContaining(elsewhere.url),
  });
});

test("a receiver that answers 50 MB is cut off, and what it said counts", async () => {
  const { workspace, admin } = await buildWorkspace();
  const mebibyte = Buffer.alloc(1_048_576, "x");
  let sentMebibytes = 0;
  const receiver = await webhookReceiver((response, place) => {
    response.writeHead(place === 0 ? 200 : 500);
    const pour = () => {
      while (sentMebibytes < 50 && !response.destroyed) {
        sentMebibytes += 1;
        if (!response.write(mebibyte)) return void response.once("drain", pour);
      }
      response.end();
    };
    pour();
  });
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  await finishTurn(workspace.id);
  await deliver(new Date());
  expect(await onlyDelivery(admin)).toMatchObject({ status: "delivered", lastStatus: 200 });
  expect(sentMebibytes).toBeLessThan(30);
  await expect.poll(receiver.openConnections, { message: "the connection is closed" }).toBe(0);
});

test("nobody listening is a failure with a sentence like any other", async () => {
  const { workspace, admin } = await buildWorkspace();
  await createWebhook({ actor: writer(admin), body: draftOf("http://127.0.0.1:1/") });
  await finishTurn(workspace.id);
  await deliver(new Date());
  expect(await onlyDelivery(admin)).toMatchObject({
    status: "pending",
    attempts: 1,
    lastStatus: null,
    lastError: expect.stringContaining("127.0.0.1:1"),
  });
});

test("however many workers race on one delivery, it is sent once", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver();
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  for (let count = 0; count < 12; count += 1) await finishTurn(workspace.id);
  const { items } = await listDeliveries(writer(admin));
  const raced = items.flatMap(({ id }) => [id, id, id, id]);
  await Promise.all(raced.map((deliveryId) => deliverWebhook({ deliveryId, attempt: 1, lostBefore: 0 }, { http })));
  expect(receiver.received).toHaveLength(12);
  expect(new Set(receiver.received.map(({ headers }) => headers["handrail-delivery"])).size).toBe(12);
});

test("a worker that dies in the middle of a try loses nothing, and its late answer changes nothing", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver((response, place) => response.writeHead(place === 0 ? 204 : 500).end());
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  await finishTurn(workspace.id);
  const { id: deliveryId } = await onlyDelivery(admin);
  const start = new Date();
  const lost = await claimDelivery({ deliveryId, attempt: 1, lostBefore: 0 }, start);
  if (!lost) throw new Error("Nothing was due");

  await deliverWebhook({ deliveryId, attempt: 1, lostBefore: 0 }, { http });
  expect(receiver.received, "it may still be under way").toEqual([]);
  await deliverWebhook({ deliveryId, attempt: 1, lostBefore: 1 }, { http });
  expect(await onlyDelivery(admin)).toMatchObject({ status: "delivered", attempts: 2 });

  await tryDelivery(lost, http, () => start);
  expect(receiver.received).toHaveLength(2);
  expect(await onlyDelivery(admin)).toMatchObject({ status: "delivered", attempts: 2, lastStatus: 204 });
});

test("a waiting delivery goes to the address and under the secret that the webhook has by then", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver();
  const draft = draftOf("http://127.0.0.1:1/");
  const { id } = await createWebhook({ actor: writer(admin), body: draft });
  await finishTurn(workspace.id);
  const start = new Date();
  await deliver(start);
  await webhooks.update({ actor: writer(admin), params: { id }, body: { ...draft, url: receiver.url }, version: null });
  const { secret } = await rotateWebhookSecret({ actor: writer(admin), params: { id } });
  await deliver(new Date(start.getTime() + 11_000));
  const [received] = receiver.received;
  if (!received) throw new Error("Nothing arrived");
  expect(isSigned(received, secret)).toBe(true);
  expect(await onlyDelivery(admin)).toMatchObject({ status: "delivered", url: receiver.url });
});

test("a delivery to a disabled webhook fails, and can be redelivered when the webhook is on again", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver();
  const draft = draftOf(receiver.url);
  const { id } = await createWebhook({ actor: writer(admin), body: draft });
  await finishTurn(workspace.id);
  await webhooks.update({ actor: writer(admin), params: { id }, body: { ...draft, enabled: false }, version: null });
  await deliver(new Date());
  const failed = await onlyDelivery(admin);
  expect(failed).toMatchObject({ status: "failed", lastError: expect.stringContaining("disabled before the delivery") });

  await webhooks.update({ actor: writer(admin), params: { id }, body: draft, version: null });
  expect(await redeliver(writer(admin), failed.id)).toMatchObject({ id: failed.id, status: "pending", attempts: 0 });
  await deliver(new Date());
  expect(receiver.received.map(({ headers }) => headers["handrail-delivery"])).toEqual([failed.id]);
  expect(await onlyDelivery(admin)).toMatchObject({ status: "delivered", attempts: 1 });
  const [redelivered] = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, "webhook.redelivered"), eq(auditEvents.subject, failed.id)));
  expect(redelivered).toMatchObject({ actorId: admin.id, data: { before: { status: "failed", attempts: 1 } } });
});

test("a test is one real signed delivery, also of a webhook that is off, and its failure is no alarm", async () => {
  const { admin } = await buildWorkspace();
  const receiver = await webhookReceiver((response, place) => response.writeHead(place === 0 ? 200 : 500).end("broken"));
  const { id, secret } = await createWebhook({ actor: writer(admin), body: draftOf(receiver.url, { enabled: false }) });
  const taken = await testWebhook(writer(admin), id, http);
  expect(taken).toMatchObject({ event: "webhook.tested", status: "delivered", attempts: 1, lastStatus: 200 });
  const [received] = receiver.received;
  if (!received) throw new Error("Nothing arrived");
  expect(isSigned(received, secret)).toBe(true);
  expect(JSON.parse(received.body)).toMatchObject({ id: taken.id, event: "webhook.tested", data: { testedBy: { id: admin.id } } });

  const failed = await testWebhook(writer(admin), id, http);
  expect(failed).toMatchObject({ status: "failed", lastStatus: 500, lastError: "It answered 500: broken", nextAttemptAt: null });
  expect(await failuresOf(failed.id)).toEqual([]);
});

test("a delivery whose text cannot be stored as it is goes out all the same", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver((response) => response.writeHead(500).end(Buffer.from([0x62, 0, 0xff, 0x61])));
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  await db().transaction((tx) =>
    queueDeliveries(tx, [{ workspaceId: workspace.id, event: "turn.finished", payload: { text: "a\0b\ud800" } }]),
  );
  await deliver(new Date());
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ data: { text: "a\ufffdb\ufffd" } });
  expect(await onlyDelivery(admin)).toMatchObject({ lastStatus: 500, lastError: "It answered 500: b\ufffd\ufffda" });
});

test("the log is read newest first, page by page, narrowed by webhook, state and turn", async () => {
  const { workspace, admin } = await buildWorkspace();
  const other = await buildWorkspace();
  const receiver = await webhookReceiver((response, place) => response.writeHead(place === 0 ? 204 : 410).end());
  const webhook = await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  const turnIds: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    turnIds.push(await finishTurn(workspace.id));
    if (count < 2) await deliver(new Date());
  }
  await finishTurn(workspace.id, { callbackUrl: "https://example.com/callback" });

  const list = (query: Parameters<typeof listDeliveries>[1]) => listDeliveries(writer(admin), query);
  const firstPage = await list({ limit: 3 });
  const secondPage = await list({ limit: 3, cursor: firstPage.nextCursor ?? undefined });
  const all = [...firstPage.items, ...secondPage.items];
  expect(all).toHaveLength(5);
  expect(secondPage.nextCursor).toBeNull();
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  expect((await list({ webhookId: webhook.id })).items).toHaveLength(4);
  expect((await list({ status: "failed" })).items).toHaveLength(1);
  expect((await list({ turnId: turnIds[0] })).items).toMatchObject([{ status: "delivered", turnId: turnIds[0] }]);
  expect((await listDeliveries(writer(other.admin))).items).toEqual([]);
  await expect(getDelivery(writer(other.admin), all[0]?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
  await expect(redeliver(writer(other.admin), all[0]?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
  await db().delete(webhookDeliveries).where(eq(webhookDeliveries.workspaceId, workspace.id));
});

test("a delivery that lost its work item is found again and queued once", async () => {
  const { workspace, admin } = await buildWorkspace();
  const receiver = await webhookReceiver();
  await createWebhook({ actor: writer(admin), body: draftOf(receiver.url) });
  await finishTurn(workspace.id);
  const queued: unknown[] = [];
  provideEngine({ insert: async (_tx, { name }, items) => void queued.push(...items.map(({ input }) => ({ name, input }))) });
  const { id: deliveryId } = await onlyDelivery(admin);
  const later = new Date(Date.now() + 11 * 60_000);
  await findLostDeliveries(new Date());
  expect(queued, "it is not overdue yet").toEqual([]);
  await Promise.all([findLostDeliveries(later), findLostDeliveries(later)]);
  expect(queued.filter((item) => JSON.stringify(item).includes(deliveryId))).toEqual([
    { name: "deliver_webhook", input: { deliveryId, attempt: 1 } },
  ]);
});
