import { isUtf8 } from "node:buffer";

/** First bytes of file formats that tools answer; `?` stands for any byte. */
const signatures: readonly (readonly [start: string, mediaType: string])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["RIFF????WEBP", "image/webp"],
  ["????ftypavif", "image/avif"],
  ["????ftypheic", "image/heic"],
  ["RIFF????WAVE", "audio/wav"],
  ["ID3", "audio/mpeg"],
  ["\xff\xfb", "audio/mpeg"],
  ["OggS", "audio/ogg"],
  ["fLaC", "audio/flac"],
  ["????ftypM4A", "audio/mp4"],
  ["????ftyp", "video/mp4"],
  ["\x1aE\xdf\xa3", "video/webm"],
  ["%PDF-", "application/pdf"],
  ["PK\x03\x04", "application/zip"],
  ["\x1f\x8b", "application/gzip"],
];

const textStartBytes = 65_536;

/** Detects the media type of bytes by their content; "application/octet-stream" when the content is unknown. */
export function detectMediaType(bytes: Uint8Array): string {
  const known = signatures.find(([start]) => startsWith(bytes, start));
  if (known) return known[1];
  return isText(bytes) ? "text/plain; charset=utf-8" : "application/octet-stream";
}

function startsWith(bytes: Uint8Array, start: string): boolean {
  for (let index = 0; index < start.length; index += 1) {
    if (start[index] !== "?" && bytes[index] !== start.charCodeAt(index)) return false;
  }
  return true;
}

/** Tells whether bytes are text: valid UTF-8 without NUL near the beginning. */
function isText(bytes: Uint8Array): boolean {
  return bytes.length > 0 && !bytes.subarray(0, textStartBytes).includes(0) && isUtf8(bytes);
}
