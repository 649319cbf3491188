import path from "node:path";
import type { GuardContext } from "../call/guard-request";

/** Returns a path relative to the conversation's folder when it lies inside; otherwise the path as it is. */
export function pathInside(written: string, folder: string | undefined): string {
  const trimmed = written.trim();
  const plain = (/^file:/i.test(trimmed) ? pathInUri(trimmed) : trimmed).replaceAll("\\", "/");
  const normal = path.posix.normalize(plain).replace(/(.)\/+$/, "$1");
  if (folder === undefined) return normal;
  return normal === folder ? "." : normal.startsWith(`${folder}/`) ? normal.slice(folder.length + 1) : normal;
}

/** Returns the links of a call's folder that lead to a path: an effect names the file behind a link, and others name the link. */
export function linksTo(file: string, { files, folder }: GuardContext): string[] {
  return [...(files?.real ?? [])].flatMap(([link, real]) => (pathInside(real, folder) === file ? [link] : []));
}

function pathInUri(uri: string): string {
  const written = uri.replace(/^file:(?:\/\/(?:localhost(?=\/))?)?/i, "");
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
