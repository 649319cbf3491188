import { randomUUID } from "node:crypto";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { webhookEndpoints } from "@/contracts/hooks/webhooks";
import { type WorkQueueName, workEndpoints, workQueueNames } from "@/contracts/operations/work";
import { turnEndpoints } from "@/contracts/turns/turns";
import type { Caller } from "../caller";
import { askBefore, expect, readProblem, test } from "../fixtures";

askBefore("write_file");

async function queueOf(admin: Caller, name: WorkQueueName) {
  const { items } = await admin.call(workEndpoints.queues);
  return items.find((queue) => queue.name === name);
}

test("every queue of durable work is shown, and an approval has its expiry in one from the moment it is asked", async ({ api }) => {
  expect((await api.admin.call(workEndpoints.queues)).items.map(({ name }) => name).toSorted()).toEqual(workQueueNames.toSorted());
  const before = await queueOf(api.admin, "expire_approval");
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const calls = [{ id: "call", name: "write_file", arguments: { path: "a.txt", content: "a" } }];
  const turn = await api.agent.call(turnEndpoints.submit, { params: { id }, body: { calls } });
  expect(turn.status).toBe("suspended");
  const after = await queueOf(api.admin, "expire_approval");
  expect(after?.scheduled).toBeGreaterThan(before?.scheduled ?? 0);
  await api.agent.call(turnEndpoints.cancel, { params: { id: turn.id } });
});

test("a delivery that a receiver does not take waits in its queue for its next try", async ({ api }) => {
  const { id } = await api.admin.call(webhookEndpoints.create, {
    body: { name: `work-${randomUUID()}`, url: "http://127.0.0.1:1/", events: ["turn.finished"] },
  });
  try {
    const conversation = await api.agent.call(conversationEndpoints.create, { body: {} });
    const calls = [{ id: "call", name: "date_time", arguments: {} }];
    await api.agent.call(turnEndpoints.submit, { params: { id: conversation.id }, body: { calls } });
    const deliveries = async () => (await api.admin.call(webhookEndpoints.listDeliveries, { query: { webhookId: id } })).items;
    await expect.poll(deliveries).toMatchObject([{ status: "pending", attempts: 1, lastError: expect.stringContaining("127.0.0.1:1") }]);
    expect((await queueOf(api.admin, "deliver_webhook"))?.scheduled).toBeGreaterThan(0);
  } finally {
    await api.admin.call(webhookEndpoints.remove, { params: { id } });
  }
});

test("a failed item that is not there can neither be retried nor discarded", async ({ api }) => {
  expect((await api.admin.call(workEndpoints.failed)).items).toEqual([]);
  const params = { id: randomUUID() };
  for (const endpoint of [workEndpoints.retry, workEndpoints.discard]) {
    expect(await readProblem(await api.admin.send(endpoint, { params }))).toMatchObject({ status: 404, code: "not_found" });
  }
});
