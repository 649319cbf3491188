import "server-only";

/**
 * Answers a file that a tool or a model made as a download, so that a browser never runs its content.
 * @param file `name` may hold any text; `mediaType` is sent unchanged only when it has the form of a media type.
 */
export function attachment(body: ReadableStream<Uint8Array>, file: { name: string; mediaType: string; bytes: number }): Response {
  const plainName = file.name.replace(/[^\w. -]/g, "_").slice(0, 100) || "artifact";
  // The cut may split a surrogate pair, and encodeURIComponent throws at half of a pair.
  const encodedName = encodeURIComponent(file.name.slice(0, 200).toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return new Response(body, {
    headers: {
      "content-type": /^[\w.+-]+\/[\w.+-]+(; charset=utf-8)?$/.test(file.mediaType) ? file.mediaType : "application/octet-stream",
      "content-length": String(file.bytes),
      "content-disposition": `attachment; filename="${plainName}"; filename*=UTF-8''${encodedName}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}
