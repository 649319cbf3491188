import "server-only";
import { createECDH } from "node:crypto";
import { and, desc, eq, lt, ne } from "drizzle-orm";
import type { Notification, PushDevice, PushSubscriptionDraft } from "@/contracts/notifications/notifications";
import { notifications, pushDevices } from "@/db/schema";
import { record } from "@/server/audit/record";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { storableText } from "@/server/platform/database/storable";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { notificationsAllowPrivate } from "./environment";
import { queueNotifications } from "./notification-queue";
import { requirePerson } from "./notification-settings";
import { presentNotifications } from "./present-notifications";

type Reader = Authorized<"approvals:read">;
type Row = typeof pushDevices.$inferSelect;

const maxDevices = 20;
const own = ({ workspaceId, id }: Reader) => and(eq(pushDevices.workspaceId, workspaceId), eq(pushDevices.userId, id));

export async function listPushDevices(actor: Reader, { limit = 50, cursor }: { limit?: number; cursor?: string }) {
  requirePerson(actor);
  const found = await db()
    .select()
    .from(pushDevices)
    .where(and(own(actor), cursor === undefined ? undefined : lt(pushDevices.id, decodeCursor(cursor, IdCursor)[0])))
    .orderBy(desc(pushDevices.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(present), nextCursor };
}

/**
 * Adds a browser of the person. A subscription that another person had in the same browser ends with it.
 * @throws AppError `invalid` for an address or a key that no push can use; `conflict` for too many devices
 */
export async function addPushDevice(actor: Reader, draft: PushSubscriptionDraft): Promise<PushDevice> {
  requirePerson(actor);
  const { workspaceId, id: userId } = actor;
  assertUsable(draft);
  const values = { userId, p256dh: draft.keys.p256dh, auth: draft.keys.auth, device: storableText(draft.device), lastError: null };
  return db().transaction(async (tx) => {
    const others = await tx.$count(pushDevices, and(own(actor), ne(pushDevices.endpoint, draft.endpoint)));
    if (others >= maxDevices) throw new AppError("conflict", `A person has at most ${maxDevices} devices. Remove one first.`);
    const [row] = await tx
      .insert(pushDevices)
      .values({ workspaceId, endpoint: draft.endpoint, ...values })
      .onConflictDoUpdate({ target: [pushDevices.workspaceId, pushDevices.endpoint], set: values })
      .returning();
    if (!row) throw new Error("The device was not stored");
    await note(actor, row, "push_device.added", tx);
    await bumpConfigVersion(tx, workspaceId);
    return present(row);
  });
}

function assertUsable({ endpoint, keys }: PushSubscriptionDraft): void {
  const refuse = (path: string, message: string) => {
    throw new AppError("invalid", message, { errors: [{ path, message }] });
  };
  if (!endpoint.startsWith("https:") && !notificationsAllowPrivate.value()) refuse("endpoint", "A push service has an https address.");
  try {
    const ecdh = createECDH("prime256v1");
    ecdh.generateKeys();
    ecdh.computeSecret(Buffer.from(keys.p256dh, "base64url"));
  } catch {
    refuse("keys.p256dh", "This is no public key of a browser. Subscribe anew.");
  }
}

/** @throws AppError `not_found` */
export async function removePushDevice(actor: Reader, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx
      .delete(pushDevices)
      .where(and(own(actor), eq(pushDevices.id, id)))
      .returning();
    if (!row) throw missingDevice();
    await note(actor, row, "push_device.removed", tx);
    await bumpConfigVersion(tx, actor.workspaceId);
  });
}

/** Queues a push without an approval. @throws AppError `not_found` */
export async function testPushDevice(actor: Reader, id: string): Promise<Notification> {
  const row = await db().transaction(async (tx) => {
    const [device] = await tx
      .select()
      .from(pushDevices)
      .where(and(own(actor), eq(pushDevices.id, id)));
    if (!device) throw missingDevice();
    const test = { workspaceId: actor.workspaceId, userId: actor.id, channel: "push" as const, targetId: device.id, target: device.device };
    const [stored] = await tx
      .insert(notifications)
      .values({ ...test, key: `test:${newId()}`, dueAt: sharedNow() })
      .returning();
    if (!stored) throw new Error("The test was not stored");
    await queueNotifications(tx, [stored]);
    return stored;
  });
  const [presented] = await presentNotifications([row]);
  if (!presented) throw missingDevice();
  return presented;
}

const note = (
  actor: Reader,
  { id, device, endpoint }: Row,
  event: "push_device.added" | "push_device.removed",
  tx: Parameters<typeof record>[0],
) =>
  record(tx, {
    workspaceId: actor.workspaceId,
    event,
    actor: toActorRef(actor),
    subject: id,
    data: { device, host: hostOf(endpoint) },
    requestId: actor.requestId,
  });

/** The whole address is a secret of the browser. */
const hostOf = (endpoint: string): string => URL.parse(endpoint)?.host ?? "";

const present = ({ id, device, endpoint, lastSentAt, lastError, createdAt }: Row): PushDevice => ({
  ...{ id, device, host: hostOf(endpoint), lastError },
  lastSentAt: lastSentAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

const missingDevice = () => new AppError("not_found", "This device gets no pushes of yours. GET /api/v1/push-subscriptions lists yours.");
