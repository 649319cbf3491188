import { createPublicKey, verify } from "node:crypto";
import { sha256 } from "./leaf.ts";

/** The members of a seal, which its hash covers. */
export type SealHeader = {
  workspaceId: string;
  /** Seals of a workspace count from 1. */
  number: number;
  /** Place of the first row in the workspace's audit, from 1: places have no gaps. */
  firstPlace: number;
  rows: number;
  /** Root of the Merkle tree over the digests of the rows, hexadecimal. */
  root: string;
  /** Latest time of a row in this seal or an earlier one. */
  through: string;
  /** Time of the database's clock. */
  sealedAt: string;
  /** Hash of the seal before; 64 zeros in the first one. */
  previous: string;
};

/** A seal with its Ed25519 signature (base64) over the 32 bytes of its hash, and the raw public key (base64). */
export type SignedSeal = SealHeader & { hash: string; signature: string; publicKey: string };

export const firstPrevious = "0".repeat(64);

/** Returns the text that the hash of a seal covers: JSON of these members in this order. */
export function sealText({ workspaceId, number, firstPlace, rows, root, through, sealedAt, previous }: SealHeader): string {
  return JSON.stringify({ format: "handrail-seal-1", workspaceId, number, firstPlace, rows, root, through, sealedAt, previous });
}

export const sealHash = (seal: SealHeader): string => sha256(sealText(seal)).toString("hex");

/** The bytes before a raw public key in its DER form (RFC 8410). */
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** Tells whether the signature of a seal fits its hash and public key. */
export function isSigned({ hash, signature, publicKey }: Pick<SignedSeal, "hash" | "signature" | "publicKey">): boolean {
  const raw = Buffer.from(publicKey, "base64");
  if (raw.length !== 32) return false;
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, raw]), format: "der", type: "spki" });
  return verify(null, Buffer.from(hash, "hex"), key, Buffer.from(signature, "base64"));
}
