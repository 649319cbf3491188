import { hash } from "node:crypto";

/** State of a leaf: its row stands, was removed by the retention, or has an erased payload. */
export const leafStates = { present: 0, removed: 1, erased: 2 } as const;

/** The sealed digest of one row. */
export type Leaf = {
  state: number;
  /** The row. */
  id: string;
  /**
   * Present: 16 random bytes, without which nobody can guess a payload from its digest. Otherwise the id of the audit row that
   * records the removal or the erasure: the random bytes are gone with the payload.
   */
  salt: Buffer;
  digest: Buffer;
};

/** The texts of an audit row that its digest covers, byte for byte. */
export type RowText = {
  /** JSON object with what says that something happened: ids, time, event, tool, verdict. */
  fields: string;
  /** JSON object with what a person may ask to have erased: the actor's name, the subject, the data. */
  payload: string;
};

export const sha256 = (bytes: Buffer | string): Buffer => hash("sha256", bytes, "buffer");

const leafPrefix = Buffer.of(0);

/** Returns the digest of a payload: SHA-256 over salt and text. */
export const payloadDigest = (payload: string, salt: Buffer): Buffer => sha256(Buffer.concat([salt, Buffer.from(payload)]));

/** Returns the digest of a row: SHA-256 over a zero byte, the digest of its payload and the text of its fields. */
export function leafDigest(fields: string, payload: Buffer): Buffer {
  return sha256(Buffer.concat([leafPrefix, payload, Buffer.from(fields)]));
}

/** Returns the digest of a row whose payload stands. */
export const digestOf = ({ fields, payload }: RowText, salt: Buffer): Buffer => leafDigest(fields, payloadDigest(payload, salt));

/** Bytes of a packed leaf: state, id, salt and digest. */
export const leafBytes = 1 + 16 + 16 + 32;

/** Reads packed leaves. A rest that is no whole leaf counts as one, whose digest fits nothing. */
export function unpackLeaves(packed: Buffer): Leaf[] {
  return Array.from({ length: Math.ceil(packed.length / leafBytes) }, (_, place) => {
    const leaf = packed.subarray(place * leafBytes, (place + 1) * leafBytes);
    return { state: leaf[0] ?? 0, id: toUuid(leaf.subarray(1, 17)), salt: leaf.subarray(17, 33), digest: leaf.subarray(33) };
  });
}

export function packLeaves(leaves: readonly Leaf[]): Buffer {
  return Buffer.concat(leaves.flatMap(({ state, id, salt, digest }) => [Buffer.of(state), uuidBytes(id), salt, digest]));
}

/** Writes 16 bytes as a UUID. */
export function toUuid(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");
