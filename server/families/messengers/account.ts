import "server-only";
import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { platformFacts } from "@/contracts/messengers/messenger-platforms";
import type { Db } from "@/db/client";
import { messengers } from "@/db/schema";
import { derivedKey, unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";
import type { Driver } from "./drivers/driver";
import { loadDriver } from "./drivers/load-driver";
import { platformHttp } from "./platform-http";

export type MessengerRow = typeof messengers.$inferSelect;

const Secrets = z.record(z.string(), z.string());

/** Drivers by account and version; a driver keeps access tokens of its platform. */
const drivers = () => processWide("messengers.drivers", () => new LRUCache<string, Promise<Driver>>({ max: 500 }));

/** Returns the driver of an account, the same one until the account changes. @throws AppError `unavailable` for secrets that cannot be opened */
export function driverOf(row: MessengerRow): Promise<Driver> {
  const key = `${row.id} ${row.version} ${row.bot?.id ?? ""}`;
  const known = drivers().get(key);
  if (known) return known;
  const made = makeDriver(row);
  drivers().set(key, made);
  made.catch(() => drivers().delete(key));
  return made;
}

async function makeDriver({ id, workspaceId, name, platform, settings, secretsSealed, bot }: MessengerRow): Promise<Driver> {
  const secrets = { ...openSecrets(secretsSealed), callback: callbackSecret(id) };
  const make = await loadDriver(platform);
  return make({ id, workspaceId, name, settings, secrets, bot }, platformHttp(Object.values(secrets)));
}

export const openSecrets = (sealed: string): Record<string, string> => Secrets.parse(JSON.parse(unseal(sealed)));

/** The secret that a platform sends with each call, where the platform lets us choose it. */
const callbackSecret = (messengerId: string): string =>
  createHmac("sha256", derivedKey("messenger-callbacks")).update(messengerId).digest("hex");

export const callbackAddressOf = ({ id, platform }: Pick<MessengerRow, "id" | "platform">): string =>
  `${env().publicUrl.replace(/\/+$/, "")}/messengers/${id}/${platformFacts[platform].isVisited ? "visits" : "webhook"}`;

/** Loads an account; null when it was removed. */
export async function findMessenger(id: string, tx: Db = db()): Promise<MessengerRow | null> {
  const [row] = await tx.select().from(messengers).where(eq(messengers.id, id));
  return row ?? null;
}
