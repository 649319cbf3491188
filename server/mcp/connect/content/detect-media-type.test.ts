import { expect, test } from "vitest";
import { detectMediaType } from "./detect-media-type";

test.each([
  ["image/png", Buffer.from("\x89PNG\r\n\x1a\n....", "latin1")],
  ["image/webp", Buffer.from("RIFF\x01\x02\x03\x04WEBPVP8 ", "latin1")],
  ["audio/wav", Buffer.from("RIFF\x01\x02\x03\x04WAVEfmt ", "latin1")],
  ["video/mp4", Buffer.from("\0\0\0\x18ftypisom", "latin1")],
  ["application/pdf", Buffer.from("%PDF-1.7")],
  ["text/plain; charset=utf-8", Buffer.from("Grüße")],
  ["application/octet-stream", Buffer.from([1, 2, 0, 3])],
  ["application/octet-stream", Buffer.from([0xc3, 0x28, 0x41])],
  ["application/octet-stream", Buffer.alloc(0)],
])("%s is known by its content", (mediaType, bytes) => {
  expect(detectMediaType(bytes)).toBe(mediaType);
});
