/** Bytes of a page in which browsers search for its charset. */
const lookedAtBytes = 1_024;

/** Returns the charset declared by a byte order mark, the header or the page itself; null when none is declared. */
export function declaredCharset(bytes: Uint8Array, contentType: string): string | null {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  const inHeader = /charset="?([\w.:-]+)/i.exec(contentType)?.[1];
  if (inHeader) return inHeader;
  const start = Buffer.from(bytes.subarray(0, lookedAtBytes)).toString("latin1");
  if (/^application\/xml|^text\/xml|[+]xml/i.test(contentType)) return /^<\?xml[^>]*encoding=["']([\w.:-]+)/i.exec(start)?.[1] ?? null;
  if (!/^text\/html/i.test(contentType)) return null;
  const inPage = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1] ?? null;
  // An ASCII `<meta>` tag was readable, so the page cannot be UTF-16; browsers take UTF-8 in this case.
  return inPage && /^utf-16/i.test(inPage) ? "utf-8" : inPage;
}
