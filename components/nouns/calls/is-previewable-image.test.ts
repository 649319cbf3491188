import { expect, test } from "vitest";
import { isPreviewableImage } from "./is-previewable-image";

const size = { width: 640, height: 480 };

test.each([
  ["a photo", { mediaType: "image/jpeg", bytes: 90_000, image: size }, true],
  ["an SVG, which can hold scripts", { mediaType: "image/svg+xml", bytes: 900, image: size }, false],
  ["a page", { mediaType: "text/html", bytes: 900 }, false],
  ["something that only says it is an image", { mediaType: "image/png", bytes: 900 }, false],
  ["more bytes than a preview is worth", { mediaType: "image/png", bytes: 6_000_000, image: size }, false],
  ["few bytes that unfold to far too many pixels", { mediaType: "image/png", bytes: 900, image: { width: 60_000, height: 60_000 } }, false],
])("%s", (_title, part, expected) => {
  expect(isPreviewableImage(part)).toBe(expected);
});
