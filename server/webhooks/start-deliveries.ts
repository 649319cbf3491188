import "server-only";
import { processWide } from "@/server/platform/process-wide";
import { type DeliveryRunner, deliveryRunner } from "./delivery-runner";
import { webhookHttp } from "./webhook-http";

/** Later tries have no job of their own: the rows say when they are due, and looking costs next to nothing. */
const lookEveryMs = 2_000;
const patienceAtStopMs = 5_000;

const holder = () => processWide<{ runner: DeliveryRunner | null }>("webhooks.runner", () => ({ runner: null }));

/** Sends what is due in this process from now on. Returns the end: what is under way gets a moment to finish. */
export function startDeliveries(): () => Promise<void> {
  const runner = deliveryRunner({ http: webhookHttp() });
  holder().runner = runner;
  const timer = setInterval(() => void runner.look(), lookEveryMs);
  return async () => {
    clearInterval(timer);
    holder().runner = null;
    runner.stop();
    await Promise.race([runner.settled(), new Promise((resolve) => setTimeout(resolve, patienceAtStopMs).unref())]);
  };
}

/** Something was queued: look at once. */
export async function deliverNow(): Promise<void> {
  await holder().runner?.look();
}
