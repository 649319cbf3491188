import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { RenderFormat } from "../document-task.ts";
import { reading } from "../testing/office-file.ts";
import { plainText } from "./document-tree.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { render } from "./render.ts";
import { placeParts, slidesOf } from "./slides.ts";

const rendered = (format: RenderFormat, markdown: string) =>
  render({ work: "render", format, markdown, images: {}, pageSize: "A4", aspectRatio: "16:9", cover: false, contents: false });

async function partsOf(format: RenderFormat, markdown: string): Promise<(name: string) => string> {
  const parts = unzipSync((await rendered(format, markdown)).bytes);
  return (name) => strFromU8(parts[name] ?? new Uint8Array());
}

async function pagesOf(markdown: string): Promise<string[]> {
  const { text } = await reading("pdf", (await rendered("pdf", markdown)).bytes);
  return text.split(/\[Page \d+\]\n/).slice(1);
}

const numbers = (length: number, of: (at: number) => string): string[] => Array.from({ length }, (_none, at) => of(at));
const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const wideTable = [
  rowOf(numbers(16, (at) => `Amount ${at}`)),
  rowOf(numbers(16, () => "--:")),
  rowOf(numbers(16, (at) => `${at + 1},132,405.50`)),
].join("\n");

describe("a table that is too wide for an upright page", () => {
  const markdown = `# Report\n\nText before.\n\n## Positions\n\n${wideTable}\n\nText behind.\n`;

  test("stands on a landscape page of a PDF below its heading, with whole numbers", async () => {
    const { bytes } = await rendered("pdf", markdown);
    const boxes = [
      ...Buffer.from(bytes)
        .toString("latin1")
        .matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g),
    ];
    expect(boxes.map(([, width, height]) => Number(width) > Number(height))).toEqual([false, true, false]);
    const [before = "", turned = "", behind = ""] = await pagesOf(markdown);
    expect(before).toContain("Text before.");
    expect(turned).toMatch(/Positions[\s\S]*1,132,405\.50[\s\S]*16,132,405\.50/);
    expect(behind).toContain("Text behind.");
  });

  test("is a landscape section of a Word document, and the pages around it are upright", async () => {
    const xml = (await partsOf("docx", markdown))("word/document.xml");
    expect(xml).toMatch(
      /Report[\s\S]*w:orient="portrait"[\s\S]*Text before\.[\s\S]*Positions[\s\S]*16,132,405\.50[\s\S]*w:w="16838" w:h="11906" w:orient="landscape"[\s\S]*Text behind\.[\s\S]*w:orient="portrait"/,
    );
    expect(xml.match(/<w:sectPr>/g)).toHaveLength(3);
  });

  test("makes no empty page at the beginning, at the end, or beside a page break", async () => {
    for (const text of [wideTable, `\\pagebreak\n\n${wideTable}\n\n\\pagebreak\n`, `${wideTable}\n\n## Next\n\n${wideTable}\n`]) {
      const pages = await pagesOf(text);
      expect(pages).toHaveLength(1);
    }
    expect(await pagesOf(`Before.\n\n\\pagebreak\n\n${wideTable}\n\n\\pagebreak\n\nBehind.\n`)).toHaveLength(3);
  });
});

test("a table with more columns than a page or slide can show is set in parts, each with the first column", async () => {
  const many = [
    ["Name", ...numbers(30, (at) => `Amount ${at}`)],
    numbers(31, () => "--:"),
    ["Total", ...numbers(30, (at) => `${at},132,405.50`)],
  ];
  const markdown = `# A\n\n${many.map(rowOf).join("\n")}\n`;
  const text = (await pagesOf(markdown)).join("\n");
  const slideParts = slidesOf(parseMarkdown(markdown).blocks, []).flatMap(({ parts }) => parts);
  const tables = placeParts(slideParts, { width: 11.9, height: 5.5 }, { get: () => null, notes: [] })
    .flat()
    .flatMap(({ part }) => (part.kind === "table" ? [part.table] : []));
  expect(tables.length).toBeGreaterThan(1);
  expect(tables.flatMap(({ header }) => header.slice(1).map(plainText))).toEqual(many[0]?.slice(1));
  for (const { header } of tables) expect(plainText(header[0] ?? [])).toBe("Name");
  const xml = (await partsOf("docx", markdown))("word/document.xml");
  expect(xml.match(/<w:tbl>/g)?.length).toBeGreaterThan(1);
  for (const amount of many[2] ?? []) for (const shown of [text, xml]) expect(shown).toContain(amount);
});

describe("a heading of a PDF has the first lines of its block on its page:", () => {
  test.each([
    ["a long text", "word ".repeat(400)],
    ["code", `\`\`\`\n${numbers(60, (at) => `word ${at}`).join("\n")}\n\`\`\``],
    ["a long table", ["| word | B |", "|---|---|", ...numbers(60, (at) => rowOf([`word ${at}`, "b"]))].join("\n")],
    ["a long list", numbers(60, (at) => `- word ${at}`).join("\n")],
  ])("%s", async (_kind, below) => {
    for (const lines of [23, 25, 27]) {
      const pages = await pagesOf(`${"Filling text.\n\n".repeat(lines)}## The heading\n\n### Below it\n\n${below}\n`);
      expect(pages.find((page) => page.includes("The heading"))).toMatch(/The heading\s+Below it\s+\W*word/);
    }
  });
});

test("keycaps are drawn in a PDF, and stay text that is found", async () => {
  const { bytes, notes } = await rendered("pdf", "Steps 1️⃣, 2️⃣ and #️⃣ ©️ are done.\n");
  expect(notes).toEqual([]);
  expect((await reading("pdf", bytes)).text).toMatch(/Steps 1/);
});

test("code of slides goes on where a slide ends, line by line, and no heading is left alone before it", () => {
  const code = numbers(70, (at) => (at % 10 === 0 ? `long ${at} `.repeat(40) : `line ${at}`));
  for (let lines = 0; lines < 14; lines += 1) {
    const markdown = `# A\n\n${"Text of a line.\n\n".repeat(lines)}## Part\n\n### Below\n\n\`\`\`\n${code.join("\n")}\n\`\`\`\n`;
    const parts = slidesOf(parseMarkdown(`---\n\n${markdown}`).blocks, []).flatMap((slide) => slide.parts);
    const pages = placeParts(parts, { width: 11.9, height: 5.5 }, { get: () => null, notes: [] });
    for (const page of pages) {
      expect(page.at(-1)?.part.kind).not.toBe("heading");
      for (const { y, height } of page) expect(y + height).toBeLessThanOrEqual(5.51);
    }
    const shown = pages.flat().flatMap(({ part }) => (part.kind === "code" ? part.text.split("\n") : []));
    expect(shown).toEqual(code);
  }
});

describe("a sheet", () => {
  test("gives wrapped texts the height of their lines, and text beside a table the width of a page", async () => {
    const prose = "A long sentence that no narrow column could show. ".repeat(6).trim();
    const part = await partsOf("xlsx", `${prose}\n\n| A | B |\n|---|---|\n| 1 | ${prose} |\n\n\`\`\`\n${"code ".repeat(40)}\n\`\`\`\n`);
    const sheet = part("xl/worksheets/sheet1.xml");
    const heights = [...sheet.matchAll(/<row r="\d+"[^>]*? ht="([\d.]+)"/g)].map(([, height]) => Number(height));
    expect(heights).toHaveLength(3);
    for (const height of heights) expect(height).toBeGreaterThanOrEqual(45);
    expect([...sheet.matchAll(/<mergeCell ref="A(\d+):[B-Z]\1"/g)]).toHaveLength(2);
    expect(part("xl/styles.xml")).toContain("Consolas");
  });

  test("has columns as wide as bold headers need, headers at the side of their numbers, and turns where it is wide", async () => {
    const header = "Gross amount in EUR";
    const part = await partsOf("xlsx", `| Name | ${header} |\n|---|---|\n| One | 12.50 |\n| Two | 3 |\n\n# Wide\n\n${wideTable}\n`);
    const sheet = part("xl/worksheets/sheet1.xml");
    expect(Number(/<col min="2" [^>]*width="([\d.]+)"/.exec(sheet)?.[1])).toBeGreaterThan(header.length * 1.1);
    const styles = [...part("xl/styles.xml").matchAll(/<xf [^>]*?(?:\/>|>[\s\S]*?<\/xf>)/g)].map(([style]) => style);
    const styleOf = (cell: string) => Number(new RegExp(`<c r="${cell}" s="(\\d+)"`).exec(sheet)?.[1]);
    const cellStyles = styles.slice(-Number(/<cellXfs count="(\d+)"/.exec(part("xl/styles.xml"))?.[1] ?? styles.length));
    expect(cellStyles[styleOf("B1")]).toContain('horizontal="right"');
    expect(cellStyles[styleOf("A1")]).not.toContain('horizontal="right"');
    expect(part("xl/worksheets/sheet2.xml")).toContain('orientation="landscape"');
  });
});
