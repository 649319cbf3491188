import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import { render } from "./render.ts";
import { isRightToLeft, orderLine, splitByDirection } from "./right-to-left.ts";

test("a text's first letter says from which side it runs", () => {
  expect(isRightToLeft("1. שלום, world")).toBe(true);
  expect(isRightToLeft("see שלום")).toBe(false);
  expect(isRightToLeft("42 %")).toBe(false);
});

test("numbers and foreign words are pieces of their own, and words of one direction stay together", () => {
  expect(splitByDirection("דוח רבעוני ל-2026 (v1.2).")).toEqual(["דוח רבעוני ל", "-", "2026", " (", "v1.2", ")."]);
  expect(splitByDirection("plain text")).toEqual(["plain text"]);
  expect(splitByDirection("عام ٢٠٢٦")).toEqual(["عام", " ", "٢٠٢٦"]);
});

/** The words of a line as they stand from left to right. */
function seen(words: string[], isRightToLeft: boolean): string[] {
  const placed = words.map((text, place) => ({ text, x: 10 * place, width: 10, isRightToLeft }));
  orderLine(placed);
  return placed.toSorted((a, b) => a.x - b.x).map(({ text }) => text);
}

test("a line is ordered as its paragraph runs, and foreign words within it keep their own order", () => {
  expect(seen(["אחת ", "שתיים ", "New ", "York ", "2026 ", "שלוש"], true)).toEqual(["שלוש", "New ", "York ", "2026 ", "שתיים ", "אחת "]);
  expect(seen(["see ", "אחת ", "שתיים ", "there"], false)).toEqual(["see ", "שתיים ", "אחת ", "there"]);
  expect(seen(["one ", "two"], false)).toEqual(["one ", "two"]);
});

test("brackets and a full stop after a foreign word stand where the paragraph wants them", () => {
  const words = splitByDirection("גרסה 2026 (v1.2).");
  expect(words).toEqual(["גרסה", " ", "2026", " (", "v1.2", ")."]);
  expect(seen(words, true)).toEqual([".(", "v1.2", ") ", "2026", " ", "גרסה"]);
});

test("a bracket of a word from right to left opens towards it", () => {
  expect(seen(["(אחת) "], true)).toEqual([")אחת( "]);
});

test("Hebrew in a PDF begins at the right edge, and its words follow from right to left", async () => {
  const task = { work: "render", format: "pdf", images: {}, pageSize: "A4", aspectRatio: "16:9", cover: false, contents: false } as const;
  const { bytes } = await render({ ...task, markdown: "שלום עולם 2026 סוף\n\nplain" });
  const page = await (await getDocument({ data: bytes }).promise).getPage(1);
  const { items } = await page.getTextContent();
  const at = (word: string) => {
    const item = items.find((each) => "str" in each && each.str.includes(word));
    if (!item || !("str" in item)) throw new Error(`no ${word}`);
    return { from: item.transform[4] as number, to: (item.transform[4] as number) + item.width };
  };
  const [first, second, year, last] = ["שלום", "עולם", "2026", "סוף"].map(at);
  const [, , width] = page.view as [number, number, number, number];
  expect(first?.to).toBeGreaterThan(width - 80);
  expect([second?.to, year?.to, last?.to].map((to, place) => (to ?? 0) < ([first, second, year][place]?.from ?? 0) + 3)).toEqual([
    true,
    true,
    true,
  ]);
  expect(at("plain").from).toBeLessThan(80);
});
