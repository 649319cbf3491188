import fc from "fast-check";
import { expect, test } from "vitest";
import { countCharacters, countNewlines } from "./byte-counts";

/** Bytes at any alignment, because words are read four bytes at a time. */
const bytes = fc
  .tuple(fc.uint8Array({ maxLength: 3_000 }), fc.nat({ max: 7 }), fc.constantFrom(0x0a, 0x8a, 0x80, 0xff, 0x0b))
  .map(([random, from, often]) => random.map((byte) => (byte < 60 ? often : byte)).subarray(Math.min(from, random.length)));

test("line feeds and beginnings of characters are counted as one by one, at any alignment", () => {
  fc.assert(
    fc.property(bytes, (some) => {
      expect(countNewlines(some)).toBe(some.filter((byte) => byte === 0x0a).length);
      expect(countCharacters(some)).toBe(some.filter((byte) => (byte & 0xc0) !== 0x80).length);
    }),
  );
});

test("a megabyte of nothing else is counted without overflow", () => {
  expect(countNewlines(Buffer.alloc(1_048_577, "\n"))).toBe(1_048_577);
  expect(countCharacters(Buffer.from("😀".repeat(100_000)))).toBe(100_000);
});
