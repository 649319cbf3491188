import path from "node:path";

/** No system opens a file, or runs a program, by a longer path. */
export const maxPathChars = 4_096;

/**
 * Resolves a path against a folder, with `.` and `..` followed. A text longer than any path stays as written, because
 * resolving takes time quadratic in the length.
 */
export function followedPath(written: string, folder = "."): string {
  const isAbsolute = written.startsWith("/");
  if (written.length + (isAbsolute ? 0 : folder.length) > maxPathChars) return written;
  return isAbsolute ? path.posix.normalize(written) : path.posix.join(folder, written);
}
