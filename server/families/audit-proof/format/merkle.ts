import { sha256 } from "./leaf.ts";

const nodePrefix = Buffer.of(1);
const join = (left: Buffer, right: Buffer) => sha256(Buffer.concat([nodePrefix, left, right]));

/** The largest power of two below a count of at least 2. */
const splitOf = (count: number) => 2 ** Math.floor(Math.log2(count - 1));

/** Returns the root of the Merkle tree over leaf digests, as in RFC 6962, section 2.1. */
export function merkleRoot(digests: readonly Buffer[]): Buffer {
  const [only] = digests;
  if (!only) return sha256("");
  if (digests.length === 1) return only;
  const split = splitOf(digests.length);
  return join(merkleRoot(digests.slice(0, split)), merkleRoot(digests.slice(split)));
}

export type PathStep = { side: "left" | "right"; hash: string };

/** Returns the neighbours that lead from one leaf to the root, the nearest first. */
export function merklePath(digests: readonly Buffer[], place: number): PathStep[] {
  if (digests.length < 2) return [];
  const split = splitOf(digests.length);
  const [left, right] = [digests.slice(0, split), digests.slice(split)];
  const rootOf = (half: readonly Buffer[]) => merkleRoot(half).toString("hex");
  return place < split
    ? [...merklePath(left, place), { side: "right", hash: rootOf(right) }]
    : [...merklePath(right, place - split), { side: "left", hash: rootOf(left) }];
}

/** Returns the root that a leaf and its path lead to. */
export function rootOfPath(leaf: Buffer, path: readonly PathStep[]): Buffer {
  return path.reduce((node, { side, hash }) => {
    const other = Buffer.from(hash, "hex");
    return side === "left" ? join(other, node) : join(node, other);
  }, leaf);
}
