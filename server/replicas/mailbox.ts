import "server-only";
import { eq, lt, sql } from "drizzle-orm";
import type { Json } from "@/contracts/common";
import { replicaMessages } from "@/db/schema";
import { seal, unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { onSignal, signalOnCommit } from "@/server/platform/signals/bus";

type Handler = (body: Json) => void;

/** Interval of reads without a signal: the longest delay that a lost signal causes. */
const pollIntervalMs = 5_000;

const handlers = () => processWide("mailbox.handlers", () => new Map<string, Handler>());

/** Sends a message to another replica. A message to a replica that is gone is never read. */
export async function sendToReplica(addressee: string, topic: string, body: Json): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.insert(replicaMessages).values({ addressee, topic, bodySealed: seal(JSON.stringify(body)) });
    await signalOnCommit(tx, { topic: "mail", to: addressee });
  });
}

/** Sets the handler of a topic. */
export function onReplicaMessage(topic: string, handler: Handler): void {
  handlers().set(topic, handler);
}

/** Reads this replica's messages, in order, until the returned function is called. Each message is read once. */
export function openMailbox(): () => Promise<void> {
  let reading: Promise<void> = Promise.resolve();
  let isDue = false;
  let looks = 0;
  const look = () => {
    if (isDue) return;
    isDue = true;
    reading = reading.then(async () => {
      isDue = false;
      await read().catch((error) => log().debug({ err: error }, "messages of other replicas could not be read"));
    });
  };
  const off = onSignal("mail", ({ to }) => to === bootId() && look());
  const timer = setInterval(() => {
    look();
    looks += 1;
    if (looks % 60 === 0) void removeUnread().catch(() => {});
  }, pollIntervalMs);
  timer.unref();
  look();
  return async () => {
    off();
    clearInterval(timer);
    await reading;
  };
}

async function read(): Promise<void> {
  const rows = await db().delete(replicaMessages).where(eq(replicaMessages.addressee, bootId())).returning();
  for (const { topic, bodySealed } of rows.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    try {
      handlers().get(topic)?.(JSON.parse(unseal(bodySealed)) as Json);
    } catch (error) {
      log().warn({ err: error, topic }, "a message of another replica could not be read");
    }
  }
}

/** Removes messages to replicas that are gone. */
async function removeUnread(): Promise<void> {
  await db().delete(replicaMessages).where(lt(replicaMessages.createdAt, sql`now() - interval '10 minutes'`));
}
