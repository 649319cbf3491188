/** Width and height of an image in pixels, and its estimated cost in tokens for a model. */
export type ImageCost = { width: number; height: number; tokens: number };

const pixelsPerToken = 750;
const maxSide = 1_568;
/** JPEG headers may hold a preview and colour profiles in front of the size. */
const maxHeaderBytes = 1_048_576;

/**
 * Returns size and estimated cost of a PNG, JPEG, GIF or WebP image, from its header alone; null for anything else. Never
 * throws.
 * The estimate is the one that Anthropic documents ("Vision", image costs): width x height / 750 tokens, after images
 * with a long side over 1568 pixels are scaled down to that. Other providers count in tiles, with figures of the same
 * order.
 */
export function imageCost(bytes: Uint8Array): ImageCost | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, maxHeaderBytes));
  const size = pngSize(view) ?? gifSize(view) ?? webpSize(view) ?? jpegSize(view);
  if (!size || size.width === 0 || size.height === 0) return null;
  return { ...size, tokens: estimatedTokens(size) };
}

/** Estimates the tokens of an image of this size. */
export function estimatedTokens({ width, height }: { width: number; height: number }): number {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return Math.max(1, Math.ceil((width * scale * height * scale) / pixelsPerToken));
}

type Size = { width: number; height: number };

function startsWith(view: DataView, text: string, at = 0): boolean {
  if (view.byteLength < at + text.length) return false;
  for (let index = 0; index < text.length; index += 1) if (view.getUint8(at + index) !== text.charCodeAt(index)) return false;
  return true;
}

function pngSize(view: DataView): Size | null {
  if (view.byteLength < 24 || !startsWith(view, "\x89PNG\r\n\x1a\n") || !startsWith(view, "IHDR", 12)) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): Size | null {
  if (view.byteLength < 10 || !(startsWith(view, "GIF87a") || startsWith(view, "GIF89a"))) return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Reads the three kinds of WebP: lossy, lossless, and a container that states its canvas size. */
function webpSize(view: DataView): Size | null {
  if (view.byteLength < 30 || !startsWith(view, "RIFF") || !startsWith(view, "WEBP", 8)) return null;
  if (startsWith(view, "VP8 ", 12)) return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (startsWith(view, "VP8L", 12)) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!startsWith(view, "VP8X", 12)) return null;
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00;
  return { width: uint24(24) + 1, height: uint24(27) + 1 };
}

/** Walks from segment to segment by their stated lengths, up to the frame header. */
function jpegSize(view: DataView): Size | null {
  if (!startsWith(view, "\xff\xd8\xff")) return null;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrameHeader(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker === 0xd9 || marker === 0xda) return null;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return null;
}

/** Returns true for SOF0 to SOF15, except three markers in that range that mean tables and arithmetic conditioning. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
