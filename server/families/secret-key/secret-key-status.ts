import "server-only";
import type { SecretKeyStatus } from "@/contracts/operations/secret-key";
import { installation } from "@/db/schema";
import { seal, unsealOrNull } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { readSealedSettings } from "./sealed-settings";

/** The text of the proof. Only the key that sealed it opens it. */
const proofText = "the secret key of this installation";

const opens = (sealed: string): boolean => unsealOrNull(sealed) !== null;

/** Settings whose sealed texts this key cannot open, with their number by noun. */
async function unreadable(workspaceId: string | null): Promise<{ total: number; found: string }> {
  const counted = (await readSealedSettings(db(), workspaceId))
    .map(({ noun, sealed }) => ({ noun, count: sealed.filter((text) => !opens(text)).length }))
    .filter(({ count }) => count > 0);
  return {
    total: counted.reduce((sum, { count }) => sum + count, 0),
    found: counted.map(({ noun, count }) => `${noun}: ${count}`).join(", "),
  };
}

/**
 * Compares the key of this process with the one that sealed the secrets of the database. The first start keeps a proof of its key; a
 * database from before that is judged by its sealed settings.
 */
export async function keyOpensSecrets(): Promise<boolean> {
  const [row] = await db().select({ proof: installation.keyProof }).from(installation);
  if (row) return opens(row.proof);
  const sealed = (await readSealedSettings(db(), null)).flatMap((setting) => setting.sealed);
  if (sealed.length > 0 && !sealed.some(opens)) return false;
  await db()
    .insert(installation)
    .values({ keyProof: seal(proofText) })
    .onConflictDoNothing();
  // Of two first starts with two keys, one is second.
  const [kept] = await db().select({ proof: installation.keyProof }).from(installation);
  return kept !== undefined && opens(kept.proof);
}

/** Makes the key of this process the one that seals from now on. What another key sealed stays unreadable. */
export async function adoptKey(): Promise<void> {
  const keyProof = seal(proofText);
  await db().insert(installation).values({ keyProof }).onConflictDoUpdate({ target: installation.isOnly, set: { keyProof } });
}

/** @param workspaceId whose settings are counted; null for every workspace */
export async function secretKeyStatus(workspaceId: string | null): Promise<SecretKeyStatus> {
  const isRight = await keyOpensSecrets();
  const { total, found } = await unreadable(workspaceId);
  if (isRight && total === 0) return { opensSecrets: true, sentence: "The secret key opens every stored secret.", wayOut: null };
  const number = total === 0 ? "Stored secrets" : `${total} stored ${total === 1 ? "secret" : "secrets"} (${found})`;
  if (isRight)
    return {
      opensSecrets: false,
      sentence: `${number} cannot be opened: an earlier key sealed them.`,
      wayOut: "Enter these secrets again.",
    };
  return {
    opensSecrets: false,
    sentence: `${number} cannot be opened with this secret key: another key sealed them. No new secret is stored until the key is right.`,
    wayOut:
      "Start Handrail with the key that sealed them: HANDRAIL_SECRET_KEY, or the file secret-key from your backup. If that key is lost, start once with HANDRAIL_ACCEPT_LOST_SECRETS=true and enter the secrets again.",
  };
}
