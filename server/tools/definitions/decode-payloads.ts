const base64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,4000}={0,2}/gu;
const hex = /(?<![0-9a-fA-F])(?:0x)?((?:[0-9a-fA-F]{2}){12,2000})(?![0-9a-fA-F])/gu;
const maxPayloads = 20;

/** Decodes pieces of a text that look like base64 or hexadecimal, and returns those that are readable text. */
export function decodePayloads(text: string): string[] {
  const decoded = [
    ...[...text.matchAll(hex)].slice(0, maxPayloads).map(([, digits = ""]) => Buffer.from(digits, "hex")),
    ...[...text.matchAll(base64)].slice(0, maxPayloads).map(([piece]) => Buffer.from(piece, "base64")),
  ].map((bytes) => bytes.toString("utf8"));
  return decoded.filter(isReadable);
}

/** Random identifiers decode to noise; a payload is printable ASCII from end to end. */
function isReadable(text: string): boolean {
  return text.length >= 8 && /^[\x20-\x7e\t\r\n]+$/.test(text);
}
