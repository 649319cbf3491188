import path from "node:path";

/** Returns a path relative to the conversation's folder when it lies inside; otherwise the path as it is. */
export function pathInside(written: string, folder: string | undefined): string {
  const trimmed = written.trim();
  const plain = (/^file:/i.test(trimmed) ? pathInUri(trimmed) : trimmed).replaceAll("\\", "/");
  const normal = path.posix.normalize(plain).replace(/(.)\/+$/, "$1");
  if (folder === undefined) return normal;
  return normal === folder ? "." : normal.startsWith(`${folder}/`) ? normal.slice(folder.length + 1) : normal;
}

function pathInUri(uri: string): string {
  const written = uri.replace(/^file:(?:\/\/(?:localhost(?=\/))?)?/i, "");
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
