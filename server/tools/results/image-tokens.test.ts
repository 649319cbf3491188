import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { estimatedTokens, imageCost } from "./image-tokens";

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const gif = (width: number, height: number) => {
  const bytes = Buffer.alloc(13);
  bytes.write("GIF89a");
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
};
const segment = (marker: number, body: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};
/** Builds a JPEG like a camera's: a preview with its own size and a colour profile precede the frame. */
const jpeg = (width: number, height: number, marker = 0xc2) => {
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x22, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const preview = Buffer.concat([Buffer.from("Exif\0\0"), Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 16, 0, 16, 3])]);
  const parts = [segment(0xe1, preview), segment(0xe2, Buffer.alloc(60_000)), segment(0xc4, Buffer.alloc(20)), segment(marker, frame)];
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts]);
};
const webp = (kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number) => {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF");
  bytes.write(`WEBP${kind}`, 8);
  if (kind === "VP8 ") {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (kind === "VP8L") bytes.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
  else {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
};

test.each([
  ["a PNG", png(1_000, 750)],
  ["a GIF", gif(1_000, 750)],
  ["a progressive JPEG behind a preview", jpeg(1_000, 750)],
  ["a baseline JPEG", jpeg(1_000, 750, 0xc0)],
  ["a lossy WebP", webp("VP8 ", 1_000, 750)],
  ["a lossless WebP", webp("VP8L", 1_000, 750)],
  ["an animated WebP", webp("VP8X", 1_000, 750)],
])("%s of 1000 x 750 pixels costs 1000 tokens", (_title, bytes) => {
  expect(imageCost(bytes)).toEqual({ width: 1_000, height: 750, tokens: 1_000 });
});

test("a picture that a real program wrote is measured too", () => {
  expect(imageCost(readFileSync("docs/approvals.png"))).toMatchObject({ width: expect.any(Number), height: expect.any(Number) });
});

test("a picture larger than models look at costs what it costs after it was scaled down", () => {
  expect(estimatedTokens({ width: 1_568, height: 1_568 })).toBe(3_279);
  expect(estimatedTokens({ width: 15_680, height: 15_680 })).toBe(3_279);
  expect(estimatedTokens({ width: 100_000, height: 1 })).toBe(1);
});

test("a file that is no picture, or only claims to be one, has no size", () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from("<svg/>"), png(0, 10), png(10, 10).subarray(0, 20), jpeg(10, 10).subarray(0, 60)])
    expect(imageCost(bytes)).toBeNull();
});

test("no bytes make it fail or take forever", () => {
  const starts = [[], [0xff, 0xd8, 0xff], [...Buffer.from("RIFF....WEBPVP8X")], [...png(1, 1)], [...Buffer.from("GIF89a")]].map((start) =>
    Buffer.from(start),
  );
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      imageCost(Buffer.concat([start, rest]));
    }),
  );
  const long = [0x00, 0xff, 0xd0].map((filler) =>
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(4_000_000, Buffer.from([0xff, filler]))]),
  );
  expect(long.map(imageCost)).toEqual([null, null, null]);
});
