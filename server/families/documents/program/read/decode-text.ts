/** Decodes text by its byte order mark or the charset that the page declares; UTF-8 otherwise. */
export function decodeText(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  const marked = start.startsWith("\xff\xfe") ? "utf-16le" : start.startsWith("\xfe\xff") ? "utf-16be" : null;
  const declared = /<meta[^>]{1,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1];
  try {
    return new TextDecoder(marked ?? (declared && !/^utf-16/i.test(declared) ? declared : "utf-8")).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
