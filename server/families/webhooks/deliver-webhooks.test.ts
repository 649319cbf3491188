import { expect, onTestFinished, test, vi } from "vitest";
import type { WebhookDraft } from "@/contracts/hooks/webhooks";
import type { Actor } from "@/server/auth/actor";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import { startEngine } from "@/server/jobs/engine";
import { handled, runQueue } from "@/server/jobs/run-queue";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { queues } from "@/server/testing/queues";
import { webhookReceiver } from "@/server/testing/services/webhook-receiver";
import { useTestDatabase } from "@/server/testing/test-database";
import { listDeliveries } from "./deliveries";
import { deliveryQueue } from "./delivery-queue";
import { queueDeliveries } from "./queue-deliveries";
import { tryTimeoutMs } from "./send-delivery";
import { deliverWebhook } from "./try-delivery";
import { createWebhook } from "./webhooks";

process.env.HANDRAIL_WEBHOOK_ALLOW_PRIVATE = "true";
useTestDatabase();

const http = guardedHttp({ allowPrivateAddresses: true });
const writer = (actor: Actor) => authorize(actor, "hooks:write");
const draftOf = (name: string, url: string): WebhookDraft => ({ name, url, events: ["turn.finished"], enabled: true });

const finishTurn = (workspaceId: string) =>
  db().transaction((tx) => queueDeliveries(tx, [{ workspaceId, event: "turn.finished", turnId: newId(), payload: {} }]));

test("a receiver that hangs is given up after ten seconds, and holds up no other one", async () => {
  const { boss, stop } = await startEngine(queues, { works: false });
  onTestFinished(stop);
  const { workspace, admin } = await buildWorkspace();
  const hanging = await webhookReceiver(() => {});
  const receiver = await webhookReceiver();
  await createWebhook({ actor: writer(admin), body: draftOf("Hanging", hanging.url) });
  for (let count = 0; count < 8; count += 1) await finishTurn(workspace.id);
  await createWebhook({ actor: writer(admin), body: draftOf("Quick", receiver.url) });
  await finishTurn(workspace.id);

  // The test controls only the clock of the time limit.
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  const runner = runQueue(
    boss,
    handled(deliveryQueue, (due, { number }) => deliverWebhook({ ...due, lostBefore: number - 1 }, { http })),
  );
  await runner.look();
  await expect.poll(() => receiver.received.length).toBe(1);
  await expect.poll(() => hanging.received.length).toBe(4);
  expect(timeout).toHaveBeenCalledWith(tryTimeoutMs);
  runner.stop();
  limit.abort(new DOMException("The operation timed out", "TimeoutError"));
  await runner.settled();
  timeout.mockRestore();

  const { items } = await listDeliveries(writer(admin), { limit: 200 });
  const tried = items.filter(({ url, attempts }) => url === hanging.url && attempts === 1);
  expect(tried).toHaveLength(4);
  for (const delivery of tried) {
    expect(delivery).toMatchObject({
      status: "pending",
      lastStatus: null,
      lastError: expect.stringContaining("did not answer within 10 s"),
    });
  }
  expect(items.filter(({ url }) => url === hanging.url)).toHaveLength(9);
  await expect.poll(hanging.openConnections, { message: "no connection is left open" }).toBe(0);
});
