import fc from "fast-check";
import { expect, test } from "vitest";
import { boundText } from "./bound-text";

const artifactId = "0199aa00-0000-7000-8000-000000000000";

test("a text that fits is left as it is", () => {
  expect(boundText("short", { maxChars: 5, artifactId })).toBe("short");
});

test("a long text keeps its beginning and its end and says how long it was and where it is", () => {
  const cut = boundText(`first ${"x".repeat(20_000)} last`, { maxChars: 1_000, artifactId });
  expect(cut).toContain("20011 characters");
  expect(cut).toContain(artifactId);
  expect(cut).toMatch(/\nfirst x/);
  expect(cut.endsWith("x last")).toBe(true);
  expect(cut.length).toBeLessThanOrEqual(1_000);
});

test("an error at the end gets most of the room", () => {
  const tailOf = (text: string) => boundText(text, { maxChars: 2_000, artifactId }).split("[...]\n")[1]?.length ?? 0;
  const quiet = "x".repeat(10_000);
  expect(tailOf(`${quiet}\nTypeError: failed`)).toBeGreaterThan(tailOf(`${quiet}\nall is well here`) * 1.2);
});

test("whatever the text, the preview fits and never holds half a character", () => {
  const emoji = fc
    .tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 100, max: 400 }))
    .map(([off, count]) => "x".repeat(off) + "😀".repeat(count));
  const any = fc.string({ unit: "grapheme", minLength: 0, maxLength: 600 });
  fc.assert(
    fc.property(fc.oneof(any, emoji), fc.integer({ min: 250, max: 500 }), (text, maxChars) => {
      const cut = boundText(text, { maxChars, artifactId });
      expect(cut.length).toBeLessThanOrEqual(maxChars);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test("a text that is longer by a single character is shown nearly whole, and no part of it twice", () => {
  const text = Array.from({ length: 1_600 }, (_, index) => `${String(index).padStart(4, "0")}\n`).join("");
  const cut = boundText(text, { maxChars: text.length - 1, artifactId });
  const shown = cut.split("\n").filter((line) => /^\d{4}$/.test(line));
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown.length).toBeGreaterThan(1_500);
});
