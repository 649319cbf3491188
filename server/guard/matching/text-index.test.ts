import fc from "fast-check";
import { expect, test } from "vitest";
import { indexTexts } from "./text-index";

const words = fc.array(fc.constantFrom("a", "b", "c", "/", "ab"), { minLength: 1, maxLength: 7 }).map((parts) => parts.join(""));
const texts = fc.array(fc.constantFrom("a", "b", "c", "/", "ab", "\u0161", "\u{1F600}"), { maxLength: 12 }).map((parts) => parts.join(""));

function foundIn(entries: { entry: number; texts: readonly string[] }[], text: string): Set<number> {
  const found = new Set<number>();
  indexTexts(entries).mayBeIn(text, (entry) => found.add(entry));
  return found;
}

test("every entry with a text that is there is found", () => {
  fc.assert(
    fc.property(fc.array(fc.array(words, { minLength: 1, maxLength: 3 }), { maxLength: 20 }), texts, (all, text) => {
      const entries = all.map((texts, entry) => ({ entry, texts }));
      const found = foundIn(entries, text);
      for (const { entry, texts } of entries) if (texts.some((wanted) => text.includes(wanted))) expect(found).toContain(entry);
    }),
    { numRuns: 2_000 },
  );
});

test("of texts that begin and end alike, only those are found that are there", () => {
  const entries = Array.from({ length: 900 }, (_, index) => ({ entry: index, texts: [`/area-${100 + index}/notes`] }));
  expect([...foundIn(entries, "drafts/chapter-1.md")]).toEqual([]);
  expect([...foundIn(entries, "notes/area-345/notes.md")]).toContain(245);
  expect(foundIn(entries, "notes/area-345/notes.md").size).toBeLessThan(40);
  expect([...foundIn(entries, "")]).toEqual([]);
});
