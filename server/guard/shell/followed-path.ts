import path from "node:path";

/** No system opens a file, or runs a program, by a longer path. */
export const maxPathChars = 4_096;

/**
 * Where a path leads from a folder, its `.` and `..` followed. What is longer than any path stays as it is written: to
 * follow it takes time that grows with the square of its length.
 */
export function followedPath(written: string, folder = "."): string {
  const isAbsolute = written.startsWith("/");
  if (written.length + (isAbsolute ? 0 : folder.length) > maxPathChars) return written;
  return isAbsolute ? path.posix.normalize(written) : path.posix.join(folder, written);
}
