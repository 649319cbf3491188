import { posix } from "node:path";
import { safeFileName } from "@/server/capabilities/files/file-names";
import type { HttpAnswer } from "@/server/capabilities/network/http";

/** Returns a plain file name: the one that the host gives to the answer, else the last part of the address. */
export function answerName({ url, headers }: Pick<HttpAnswer, "url" | "headers">): string {
  const given = dispositionName(headers["content-disposition"] ?? "");
  if (given) return safeFileName(given);
  const last = posix.basename(URL.parse(url)?.pathname ?? "");
  return (
    last
      .replaceAll(/[^\w.-]+/g, "_")
      .replace(/^[._]+/, "")
      .slice(0, 100) || "answer"
  );
}

/** Returns the name of a Content-Disposition header (RFC 6266). */
function dispositionName(disposition: string): string | null {
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(disposition) ?? [];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded.trim());
    } catch {
      // The plain name stands in for one that is encoded wrongly.
    }
  }
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(.)/g, "$1") ?? bare ?? null;
}
