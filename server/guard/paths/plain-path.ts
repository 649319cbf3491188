import path from "node:path";
import { maxPathChars } from "./followed-path";

/**
 * Normalises a path: lower case, one kind of slash, no redundant dots; a file URL becomes the path of its file. Lower
 * case, because some file systems ignore case.
 */
export function plainPath(written: string): string {
  const lower = written.toLowerCase();
  const decoded = lower.startsWith("file:") ? decodedUri(lower.replace(/^file:(?:\/\/(?:localhost)?)?/, "")) : lower;
  const slashed = decoded.replaceAll("\\", "/");
  // Normalising takes time quadratic in the length.
  if (slashed.length > maxPathChars) return slashed;
  return path.posix.normalize(slashed).replace(/\/$/, "");
}

function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the names of folders and file on a plain path, from the top. */
export function namesOn(plain: string): string[] {
  return plain.split("/").filter((name) => name !== "" && name !== ".");
}
