import { randomUUID } from "node:crypto";
import { auditEndpoints } from "@/contracts/audit/audit";
import { webhookEndpoints } from "@/contracts/hooks/webhooks";
import type { Caller } from "../caller";
import { expect, readProblem, test } from "../fixtures";
import { isSigned, startWebhookReceiver, type WebhookReceiver } from "../webhook-receiver";

let receiver: WebhookReceiver;
test.beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
test.afterEach(() => receiver.close());

const create = (who: Caller, name = `hook-${randomUUID().slice(0, 8)}`) =>
  who.call(webhookEndpoints.create, { body: { name, url: receiver.url, events: ["turn.finished"] } });

test("a webhook is created, read, changed, rotated and removed, and each step stands in the audit", async ({ api }) => {
  const { secret, ...webhook } = await create(api.admin);
  const params = { id: webhook.id };
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  expect(await api.admin.call(webhookEndpoints.get, { params })).toEqual(webhook);
  const listed = await (await api.admin.send(webhookEndpoints.list, { query: { limit: 200 } })).text();
  expect(listed).toContain(webhook.id);
  expect(listed, "a secret is shown once").not.toContain(secret);

  const { name, url } = webhook;
  const changed = await api.admin.call(webhookEndpoints.update, { params, body: { name, url, events: ["approval.requested"] } });
  expect(changed).toMatchObject({ events: ["approval.requested"], enabled: true, version: webhook.version + 1 });
  const rotated = await api.admin.call(webhookEndpoints.rotateSecret, { params });
  expect(rotated.secret).not.toBe(secret);
  const stale = await api.admin.send(webhookEndpoints.remove, { params }, { headers: { "if-match": `"${webhook.version}"` } });
  expect(stale.status).toBe(412);
  expect(await readProblem(stale)).toMatchObject({ code: "stale_version" });
  expect(await api.admin.call(webhookEndpoints.remove, { params })).toEqual({});
  expect(await api.admin.refusal(webhookEndpoints.get, { params })).toMatchObject({ status: 404 });

  const audit = await api.viewer.call(auditEndpoints.list, { query: { event: "webhook", query: name } });
  expect(audit.items.map(({ event }) => event)).toEqual([
    "webhook.removed",
    "webhook.secret_rotated",
    "webhook.updated",
    "webhook.created",
  ]);
});

test("a test arrives signed; its failure is told with the answer; both stand in the log and can be redelivered", async ({ api }) => {
  const webhook = await create(api.admin);
  const params = { id: webhook.id };
  const taken = await api.admin.call(webhookEndpoints.test, { params });
  expect(taken).toMatchObject({ event: "webhook.tested", status: "delivered", lastStatus: 204, attempts: 1 });
  const [first] = receiver.received;
  if (!first) throw new Error("Nothing arrived");
  expect(isSigned(first, webhook.secret)).toBe(true);
  expect(first.headers).toMatchObject({ "handrail-event": "webhook.tested", "handrail-delivery": taken.id });
  expect(JSON.parse(first.body)).toEqual(taken.body);

  receiver.answerWith(500, "out of order");
  const failed = await api.admin.call(webhookEndpoints.test, { params });
  expect(failed).toMatchObject({ status: "failed", lastStatus: 500, lastError: "It answered 500: out of order" });
  const log = await api.admin.call(webhookEndpoints.listDeliveries, { query: { webhookId: webhook.id } });
  expect(log.items.map(({ id }) => id)).toEqual([failed.id, taken.id]);
  expect((await api.admin.call(webhookEndpoints.get, { params })).lastDelivery).toMatchObject({ id: failed.id });

  receiver.answerWith(200);
  expect(await api.admin.call(webhookEndpoints.redeliver, { params: { id: failed.id } })).toMatchObject({
    id: failed.id,
    status: "pending",
  });
  await expect
    .poll(async () => (await api.admin.call(webhookEndpoints.getDelivery, { params: { id: failed.id } })).status)
    .toBe("delivered");
  expect(receiver.received.at(-1)?.headers["handrail-delivery"]).toBe(failed.id);
  const failedOnes = await api.admin.call(webhookEndpoints.listDeliveries, { query: { webhookId: webhook.id, status: "failed" } });
  expect(failedOnes.items).toEqual([]);
  await api.admin.call(webhookEndpoints.remove, { params });
});

test("webhooks, their log and the callback secret are for holders of hooks:write only", async ({ api }) => {
  for (const endpoint of [webhookEndpoints.list, webhookEndpoints.listDeliveries, webhookEndpoints.callbackSecret]) {
    expect(await api.viewer.refusal(endpoint)).toMatchObject({ status: 403, code: "forbidden" });
  }
  const key = await api.withKey("hooks:write");
  const ours = await key.call(webhookEndpoints.callbackSecret);
  expect(ours.secret).toMatch(/^whsec_[\w-]{43}$/);
  expect(await api.admin.call(webhookEndpoints.callbackSecret)).toEqual(ours);
  expect((await api.stranger.call(webhookEndpoints.callbackSecret)).secret).not.toBe(ours.secret);
});

test("an address that nothing can be sent to is refused by name", async ({ api }) => {
  for (const url of ["example.com", "ftp://example.com", "https://user:password@example.com", "javascript:alert(1)"]) {
    const refusal = await api.admin.refusal(webhookEndpoints.create, { body: { name: "Nowhere", url, events: ["turn.finished"] } });
    expect(refusal, url).toMatchObject({ status: 422, errors: [{ path: "url" }] });
  }
  const events: unknown = ["webhook.tested"];
  const response = await api.admin.fetch("/api/v1/webhooks", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Tests", url: receiver.url, events }),
  });
  expect(response.status).toBe(422);
});

test("another workspace sees nothing of ours", async ({ api }) => {
  const webhook = await create(api.admin);
  const { id: deliveryId } = await api.admin.call(webhookEndpoints.test, { params: { id: webhook.id } });
  for (const endpoint of [webhookEndpoints.getDelivery, webhookEndpoints.redeliver]) {
    expect(await api.stranger.refusal(endpoint, { params: { id: deliveryId } })).toMatchObject({ status: 404 });
  }
  for (const endpoint of [webhookEndpoints.list, webhookEndpoints.listDeliveries]) {
    const text = await (await api.stranger.send(endpoint)).text();
    expect(text).not.toContain(webhook.id);
    expect(text).not.toContain(deliveryId);
  }
  await api.admin.call(webhookEndpoints.remove, { params: { id: webhook.id } });
});
