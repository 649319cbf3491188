import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { dateOf, dayOrderOf } from "./cell-values.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { render } from "./render.ts";
import { placeParts, slidesOf } from "./slides.ts";

const titles = (markdown: string) =>
  slidesOf(parseMarkdown(markdown).blocks, []).map(({ title }) => title.map(({ text }) => text).join(""));
const nothing = { get: () => null, notes: [] };

test("a heading of the level of the titles begins a slide, with a rule before it or without", () => {
  expect(titles("# Report\n\n---\n\n## 1. Summary\n\nText\n\n## 2. International\n\nText\n\n---\n\n## 3. End\n")).toEqual([
    "Report",
    "1. Summary",
    "2. International",
    "3. End",
  ]);
});

test("a heading below the level of the titles stays on its slide", () => {
  expect(titles("# A\n\n## Part\n\nText\n\n---\n\n# B\n\n## Part\n")).toEqual(["A", "B"]);
  expect(titles("# Deck\n\n### One\n\nText\n\n### Two\n\nText\n")).toEqual(["Deck", "One", "Two"]);
});

test("a heading is never the last part of a slide that goes on", () => {
  for (let lines = 1; lines < 40; lines += 1) {
    const markdown = `# A\n\n${"Text of a line.\n\n".repeat(lines)}### Below\n\nMore text.\n\n${"Text of a line.\n\n".repeat(12)}`;
    const [slide] = slidesOf(parseMarkdown(markdown).blocks, []);
    const pages = placeParts(slide?.parts ?? [], { width: 11.9, height: 5.5 }, nothing);
    for (const page of pages) expect(page.at(-1)?.part.kind).not.toBe("heading");
  }
});

async function slides(markdown: string): Promise<string[]> {
  const { bytes } = await render({
    work: "render",
    format: "pptx",
    markdown,
    images: {},
    pageSize: "A4",
    aspectRatio: "16:9",
    cover: false,
    contents: false,
  });
  const parts = unzipSync(bytes);
  const names = Object.keys(parts).filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name));
  return names
    .sort((one, other) => Number(/\d+/.exec(one)) - Number(/\d+/.exec(other)))
    .map((name) => strFromU8(parts[name] ?? new Uint8Array()));
}

test("items of a numbered list keep their numbers behind the break of a slide", async () => {
  const items = Array.from({ length: 24 }, (_, at) => `${at + 1}. Point number ${at + 1} of the list`);
  const [first = "", second = ""] = await slides(`# A\n\n${items.join("\n")}\n`);
  const next = Number(/Point number (\d+)/.exec(second)?.[1]);
  expect(first).toContain('<a:buAutoNum type="arabicPeriod"');
  expect(second).toMatch(new RegExp(`startAt="${next}".*?Point number ${next} `, "s"));
});

test("the title of a slide is its title placeholder", async () => {
  const [cover = "", slide = ""] = await slides("---\ntitle: Report\n---\n\n# Summary\n\nText.\n");
  expect(cover).toMatch(/<p:ph\s[^>]*type="title".*Report/s);
  expect(slide).toMatch(/<p:ph\s[^>]*type="title".*Summary/s);
});

test.each([
  ["2026-08-01", "2026-08-01T00:00:00.000Z", "yyyy-mm-dd"],
  ["2026-08-01 14:30", "2026-08-01T14:30:00.000Z", "yyyy-mm-dd hh:mm"],
  ["2026/08/01", "2026-08-01T00:00:00.000Z", "yyyy/mm/dd"],
  ["01.08.2026", "2026-08-01T00:00:00.000Z", "dd.mm.yyyy"],
  ["1 Aug 2026", "2026-08-01T00:00:00.000Z", "d mmm yyyy"],
  ["August 1, 2026", "2026-08-01T00:00:00.000Z", "mmmm d, yyyy"],
])("%s is a date with its format", (text, at, format) => {
  expect(dateOf(text, null)).toEqual({ at: new Date(at), format });
});

test("dates with slashes are read in the order that their column tells, and else stay text", () => {
  expect(dayOrderOf(["01/08/2026", "31/08/2026"])).toBe("day-first");
  expect(dayOrderOf(["08/01/2026", "08/31/2026"])).toBe("month-first");
  expect(dayOrderOf(["01/08/2026", "02/08/2026"])).toBeNull();
  expect(dayOrderOf(["31/08/2026", "08/31/2026"])).toBeNull();
  expect(dateOf("01/08/2026", "day-first")?.at).toEqual(new Date("2026-08-01T00:00:00Z"));
  expect(dateOf("01/08/2026", null)).toBeNull();
});

test.each(["2026-02-30", "1899-01-01", "31.04.2026", "1.2.3", "May 2026", "12 Foo 2026", "2026-13-01"])("%s stays text", (text) => {
  expect(dateOf(text, "day-first")).toBeNull();
});

test("dates of a workbook are numbers with a format, and prose is wrapped in a wide column", async () => {
  const prose = "A long sentence of prose that no column shows whole. ".repeat(5);
  const markdown = `# A\n\n| Date | Due |\n|---|---|\n| 2026-08-01 | 31/08/2026 |\n\n# B\n\n${prose}\n\n1. First\n2. Second\n`;
  const { bytes } = await render({
    work: "render",
    format: "xlsx",
    markdown,
    images: {},
    pageSize: "A4",
    aspectRatio: "16:9",
    cover: false,
    contents: false,
  });
  const parts = unzipSync(bytes);
  const text = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  expect(text("xl/worksheets/sheet1.xml")).toContain("<v>46235</v>");
  expect(text("xl/worksheets/sheet1.xml")).toContain("<v>46265</v>");
  expect(text("xl/styles.xml")).toContain("yyyy-mm-dd");
  expect(Number(/<col [^>]*width="([\d.]+)"/.exec(text("xl/worksheets/sheet2.xml"))?.[1])).toBeGreaterThan(60);
  expect(text("xl/styles.xml")).toContain('wrapText="1"');
  expect(
    Object.values(parts)
      .map((bytes) => strFromU8(bytes))
      .join(""),
  ).toMatch(/1\. First.*2\. Second/s);
});
