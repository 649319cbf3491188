/** Headers of one connection, which a proxy must not forward. */
const hopByHop = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-authentication-info",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

/**
 * Returns the end-to-end headers, as a flat list of names and values. Headers that `Connection` lists are dropped too,
 * except those that state the body's length.
 */
export function endToEndHeaders(rawHeaders: readonly string[]): string[] {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : []));
  const listed = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) =>
      value
        .toLowerCase()
        .split(",")
        .map((name) => name.trim()),
    )
    .filter((name) => name !== "content-length");
  const dropped = new Set([...hopByHop, ...listed]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

const phrases: Record<number, string> = { 400: "Bad Request", 403: "Forbidden", 407: "Proxy Authentication Required", 502: "Bad Gateway" };

/** Returns a whole response with one sentence, for a connection that no HTTP server answers any more. */
export function plainResponse(status: number, sentence: string): string {
  const body = `${sentence}\n`;
  return [
    `HTTP/1.1 ${status} ${phrases[status] ?? "Refused"}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 407 ? ['Proxy-Authenticate: Basic realm="Handrail"'] : []),
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
