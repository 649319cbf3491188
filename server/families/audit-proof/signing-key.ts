import "server-only";
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { derivedKey } from "@/server/platform/crypto";
import { processWide } from "@/server/platform/process-wide";

/** The bytes before a raw private key in its DER form (RFC 8410). */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");

type SigningKey = { key: KeyObject; publicKey: string };

/** The installation's Ed25519 key, derived from HANDRAIL_SECRET_KEY: a copy of the database alone cannot sign. */
const signingKey = () =>
  processWide<SigningKey>("audit-signing-key", () => {
    const key = createPrivateKey({ key: Buffer.concat([privatePrefix, derivedKey("audit-seals")]), format: "der", type: "pkcs8" });
    const raw = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
    return { key, publicKey: raw.toString("base64") };
  });

/** Signs the hash of a seal, given in hexadecimal. */
export function signHash(hash: string): { signature: string; publicKey: string } {
  const { key, publicKey } = signingKey();
  return { signature: sign(null, Buffer.from(hash, "hex"), key).toString("base64"), publicKey };
}

/** The raw public key of this installation, base64. */
export const publicKey = (): string => signingKey().publicKey;
