import "server-only";
import { createPrivateKey, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { eq } from "drizzle-orm";
import { pushDevices, pushKeys } from "@/db/schema";
import { seal, unsealOrNull } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";

export type PushKey = { publicKey: string; privateKey: KeyObject };

/**
 * Returns the keys of this installation; they are made at first use, once whatever the number of replicas. Keys that a lost secret key sealed
 * are made anew, and the browsers that subscribed to them have to subscribe again.
 * @throws AppError `unavailable` while this process has another secret key than the database
 */
export async function pushKey(): Promise<PushKey> {
  const [stored] = await db().select().from(pushKeys);
  if (!stored) {
    await db().insert(pushKeys).values(makeKeys()).onConflictDoNothing();
    return pushKey();
  }
  const opened = unsealOrNull(stored.privateKeySealed);
  if (opened === null) {
    const made = makeKeys();
    await db().transaction(async (tx) => {
      const isLost = eq(pushKeys.publicKey, stored.publicKey);
      const replaced = await tx.update(pushKeys).set(made).where(isLost).returning();
      if (replaced.length > 0) await tx.delete(pushDevices);
    });
    return pushKey();
  }
  const privateKey = createPrivateKey({ key: Buffer.from(opened, "base64url"), format: "der", type: "pkcs8" });
  return { publicKey: stored.publicKey, privateKey };
}

function makeKeys() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const der = privateKey.export({ format: "der", type: "pkcs8" });
  return { publicKey: point.toString("base64url"), privateKeySealed: seal(der.toString("base64url")) };
}

const validSeconds = 12 * 3_600;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Returns the header that tells a push service who sends (RFC 8292). @param now in milliseconds since 1970 */
export function vapidHeader({ publicKey, privateKey }: PushKey, endpoint: string, now: number): string {
  const { publicUrl } = env();
  // Some push services refuse a contact that is neither a mail address nor https.
  const contact = publicUrl.startsWith("https:") ? publicUrl : `mailto:handrail@${new URL(publicUrl).hostname}`;
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1_000) + validSeconds, sub: contact };
  const signed = `${encoded({ typ: "JWT", alg: "ES256" })}.${encoded(claims)}`;
  const signature = createSign("SHA256").update(signed).sign({ key: privateKey, dsaEncoding: "ieee-p1363" }, "base64url");
  return `vapid t=${signed}.${signature}, k=${publicKey}`;
}
