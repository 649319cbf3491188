import "server-only";
import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { pushDevices } from "@/db/schema";
import { guardedHttp, wasNeverSent } from "@/server/capabilities/network/guarded-http";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { toErrorMessage } from "@/server/platform/errors";
import { cardPath, headlineOf, oneVisibleLine } from "./approval-text";
import { encryptPush, maxPushBytes } from "./encrypt-push";
import { notificationsAllowPrivate } from "./environment";
import { pushKey, vapidHeader } from "./push-keys";
import type { Outcome, Told } from "./told";

type DeviceRow = typeof pushDevices.$inferSelect;

const timeoutMs = 20_000;
const testSeconds = 300;

/** Pushes one notification to its device. */
export async function sendPush(told: Told): Promise<Outcome> {
  const { targetId } = told.row;
  const [device] = targetId ? await db().select().from(pushDevices).where(eq(pushDevices.id, targetId)) : [];
  if (!device) return { status: "failed", error: "The device gets no pushes any more." };
  const outcome = await post(device, told);
  const isSent = outcome.status === "sent";
  await db()
    .update(pushDevices)
    .set(isSent ? { lastSentAt: sql`now()`, lastError: null } : { lastError: outcome.error ?? null })
    .where(eq(pushDevices.id, device.id));
  return outcome;
}

async function post(device: DeviceRow, { row, approval }: Told): Promise<Outcome> {
  const now = sharedNow().getTime();
  const secondsLeft = approval ? Math.max(0, Math.floor((approval.expiresAt.getTime() - now) / 1_000)) : testSeconds;
  const tag = approval?.id ?? row.id;
  const message = approval
    ? { title: headlineOf(approval), body: oneVisibleLine(`${approval.agent}: ${approval.summary}`, 300), url: cardPath(approval.id), tag }
    : {
        title: "Handrail reaches this device",
        body: "Approvals that wait for you are announced here.",
        url: "/settings/notifications",
        tag,
      };
  const body = encryptPush(Buffer.from(JSON.stringify(message)).subarray(0, maxPushBytes).toString(), device);
  const key = await pushKey();
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await guardedHttp({ allowPrivateAddresses: notificationsAllowPrivate.value() }).fetch(device.endpoint, {
      method: "POST",
      ownHeaders: {
        authorization: vapidHeader(key, device.endpoint, now),
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        ttl: String(secondsLeft),
        urgency: "high",
        // A push that waits at the service is replaced by one of the same topic.
        topic: createHash("sha256").update(tag).digest("base64url").slice(0, 32),
      },
      body,
      signal: limit,
      maxBytes: 2_000,
    });
    return await judge(device, answer);
  } catch (error) {
    const host = URL.parse(device.endpoint)?.host ?? "The push service";
    if (limit.aborted) return { status: "later", error: `${host} did not answer in time.` };
    const message = toErrorMessage(error).replaceAll(device.endpoint, host);
    // A repeated push replaces the first one at the browser.
    return { status: "later", error: wasNeverSent(error) ? `${host} was not reached: ${message}` : message };
  }
}

type Answer = { status: number; headers: Record<string, string>; bytes: Uint8Array };

async function judge({ id, endpoint }: DeviceRow, { status, headers, bytes }: Answer): Promise<Outcome> {
  const host = URL.parse(endpoint)?.host ?? "The push service";
  if (status >= 200 && status < 300) return { status: "sent" };
  if (status === 404 || status === 410) {
    await db().delete(pushDevices).where(eq(pushDevices.id, id));
    return { status: "failed", error: "The browser has ended its subscription. Turn pushes on again there." };
  }
  const words = oneVisibleLine(Buffer.from(bytes).toString("utf8"), 200);
  const error = `${host} answered ${status}${words ? `: ${words}` : ""}`;
  if (status !== 429 && status < 500) return { status: "failed", error };
  const seconds = Number(headers["retry-after"] ?? 0);
  return { status: "later", error, retryAfterMs: Number.isFinite(seconds) ? Math.min(seconds, 3_600) * 1_000 : 0 };
}
