import "server-only";

/**
 * A file that a tool or a model made, to save and never to show: whatever it holds, a browser runs none of it.
 * @param file `name` may hold anything; `mediaType` is shown as it is only when it looks like one.
 */
export function attachment(body: ReadableStream<Uint8Array>, file: { name: string; mediaType: string; bytes: number }): Response {
  const plainName = file.name.replace(/[^\w. -]/g, "_").slice(0, 100) || "artifact";
  // encodeURIComponent throws at half a character, which the cut may leave.
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
