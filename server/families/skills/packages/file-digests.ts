import { sha256 } from "@/server/platform/crypto";
import type { Files } from "./package-files";

/** Returns a hash of the files with their paths; the same files give the same hash. */
export function digestOf(files: Files): string {
  return digestOfHashes([...files].map(([path, bytes]) => ({ path, sha256: sha256(bytes) })));
}

export function digestOfHashes(files: readonly { path: string; sha256: string }[]): string {
  const lines = files.map(({ path, sha256: hash }) => `${hash} ${path}`).sort();
  return sha256(lines.join("\n"));
}
