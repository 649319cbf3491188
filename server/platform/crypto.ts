import "server-only";
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env";
import { AppError } from "./errors";
import { processWide } from "./process-wide";

export { canonicalJson } from "@/contracts/lib/canonical-json";

/** Returns the SHA-256 in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data);
}

function masterKey(): string {
  const key = env().secretKey;
  if (!key) throw new Error("HANDRAIL_SECRET_KEY is not set");
  return key;
}

/** Derives a 32-byte key for one purpose from HANDRAIL_SECRET_KEY (HKDF-SHA-256): different purposes never share a key. */
export function derivedKey(purpose: string): Buffer {
  return processWide(`key.${purpose}`, () => Buffer.from(hkdfSync("sha256", masterKey(), "", `handrail:${purpose}`, 32)));
}

const sealing = () => processWide("secrets.sealing", () => ({ refusal: null as string | null }));

/**
 * Refuses to seal from now on, because the key of this process is not the one of the database: what it sealed, nobody could open.
 * @param reason for people, with the way out; null permits sealing again
 */
export function refuseSealing(reason: string | null): void {
  sealing().refusal = reason;
}

function assertMaySeal(): void {
  const { refusal } = sealing();
  if (refusal !== null) throw new AppError("unavailable", refusal);
}

/** Encrypts a text with AES-256-GCM: `v1.<nonce>.<ciphertext and tag>`, base64url. */
export function seal(text: string): string {
  assertMaySeal();
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", derivedKey("sealed-values"), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.${nonce.toString("base64url")}.${sealed.toString("base64url")}`;
}

/** Decrypts a text from `seal`. @throws AppError `unavailable` when the key differs or the text was changed */
export function unseal(sealed: string): string {
  const [version, nonce, body] = sealed.split(".");
  if (version !== "v1" || !nonce || !body) throw new Error("This value was not sealed by Handrail");
  const bytes = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", derivedKey("sealed-values"), Buffer.from(nonce, "base64url"));
  decipher.setAuthTag(bytes.subarray(-16));
  return opened(() => Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])).toString("utf8");
}

/** Decrypts a text from `seal`; null when the key differs or the text was changed. */
export function unsealOrNull(sealed: string): string | null {
  try {
    return unseal(sealed);
  } catch {
    return null;
  }
}

function opened(decrypt: () => Buffer): Buffer {
  try {
    return decrypt();
  } catch (cause) {
    throw new AppError(
      "unavailable",
      "A stored secret cannot be opened with the secret key of this process. Doctor tells which ones, and what to do.",
      { cause },
    );
  }
}

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts bytes with AES-256-GCM: nonce, ciphertext and tag. Equal bytes never give equal results. */
export function sealBytes(bytes: Uint8Array): Buffer {
  assertMaySeal();
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", derivedKey("sealed-bytes"), nonce);
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts bytes from `sealBytes`. @throws AppError `unavailable` when the key differs or the bytes were changed */
export function unsealBytes(sealed: Uint8Array): Buffer {
  if (sealed.byteLength < nonceBytes + tagBytes) throw new Error("These bytes were not sealed by Handrail");
  const decipher = createDecipheriv("aes-256-gcm", derivedKey("sealed-bytes"), sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return opened(() => Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]));
}
