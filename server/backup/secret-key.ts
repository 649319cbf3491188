import "server-only";
import { readFileSync } from "node:fs";
import path from "node:path";
import { unsealOrNull } from "@/server/platform/crypto";
import { type Env, env } from "@/server/platform/env";

const keyFile = (dataDir: string): string => path.join(dataDir, "secret-key");

/** Returns the key of this installation without making one; null when there is none. */
export function presentSecretKey({ secretKey, dataDir }: Env): string | null {
  if (secretKey) return secretKey;
  try {
    return readFileSync(keyFile(dataDir), "utf8").trim() || null;
  } catch {
    return null;
  }
}

/** Says where the secret key is, which no backup holds. */
export function whereTheKeyIs({ secretKey, dataDir }: Env): string {
  const place = secretKey ? "the variable HANDRAIL_SECRET_KEY" : `the file ${keyFile(dataDir)}`;
  return `The secret key is not in the backup: it is in ${place}. Keep a copy of it apart; without it the stored secrets are lost.`;
}

/** Says whether the key of this process opens the secrets of a backup. */
export function keyOfBackup(keyProof: string | null): string {
  const { secretKey, dataDir } = env();
  if (keyProof === null) return "The backup holds no sealed secrets.";
  const places = `in HANDRAIL_SECRET_KEY or in ${keyFile(dataDir)}`;
  if (secretKey === null) return `No secret key is here. Put the one that belongs to the backup ${places} before the start.`;
  if (unsealOrNull(keyProof) !== null) return "The secret key opens the backup's secrets.";
  return `WRONG SECRET KEY: the present key does not open the backup's secrets. Put the one that belongs to the backup ${places} before the start; without it they are lost.`;
}
