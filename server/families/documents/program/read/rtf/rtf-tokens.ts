export type RtfToken =
  | { kind: "open" }
  | { kind: "close" }
  | { kind: "control"; word: string; value: number | null }
  | { kind: "byte"; byte: number };

const [backslash, open, close, apostrophe, minus, space] = [0x5c, 0x7b, 0x7d, 0x27, 0x2d, 0x20];
const isLetter = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Cuts an RTF file into groups, control words and bytes of text. Binary data is passed over. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    at += 1;
    if (byte === open || byte === close) yield byte === open ? { kind: "open" } : { kind: "close" };
    else if (byte === 0x0a || byte === 0x0d || byte === 0) continue;
    else if (byte !== backslash) yield { kind: "byte", byte };
    else {
      const next = bytes[at] ?? 0;
      if (!isLetter(next)) {
        at += 1;
        if (next === apostrophe) {
          yield { kind: "byte", byte: Number.parseInt(String.fromCharCode(bytes[at] ?? 0x33, bytes[at + 1] ?? 0x66), 16) || 0x3f };
          at += 2;
        } else if (next === backslash || next === open || next === close) yield { kind: "byte", byte: next };
        else yield { kind: "control", word: next === 0x0a || next === 0x0d ? "par" : String.fromCharCode(next), value: null };
        continue;
      }
      let word = "";
      while (at < bytes.length && isLetter(bytes[at] ?? 0) && word.length < 40) {
        word += String.fromCharCode(bytes[at] ?? 0);
        at += 1;
      }
      let digits = "";
      if (bytes[at] === minus && isDigit(bytes[at + 1] ?? 0)) {
        digits = "-";
        at += 1;
      }
      while (isDigit(bytes[at] ?? 0) && digits.length < 12) {
        digits += String.fromCharCode(bytes[at] ?? 0);
        at += 1;
      }
      if (bytes[at] === space) at += 1;
      const value = digits === "" ? null : Number(digits);
      if (word === "bin") at += Math.max(0, value ?? 0);
      else yield { kind: "control", word, value };
    }
  }
}
