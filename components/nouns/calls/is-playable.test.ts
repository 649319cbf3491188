import { expect, test } from "vitest";
import { playerOf } from "./is-playable";

test.each([
  ["video/mp4", 5_000_000, "video"],
  ["audio/mpeg", 5_000_000, "audio"],
  ["video/mp4", 150_000_000, null],
  ["text/html", 10, null],
  ["image/svg+xml", 10, null],
  ["model/gltf-binary", 10, null],
])("%s of %i bytes is played by %s", (mediaType, bytes, player) => {
  expect(playerOf({ mediaType, bytes })).toBe(player);
});
