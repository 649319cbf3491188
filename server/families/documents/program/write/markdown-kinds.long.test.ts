import { strFromU8, unzipSync } from "fflate";
import { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import type { RenderTask } from "../document-task.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { render } from "./render.ts";

const rendering = (format: RenderTask["format"], markdown: string, more: Partial<RenderTask> = {}) =>
  render({ work: "render", format, markdown, images: {}, pageSize: "A4", aspectRatio: "16:9", cover: false, contents: false, ...more });

async function part(format: "docx" | "pptx" | "xlsx", name: string, markdown: string, more: Partial<RenderTask> = {}): Promise<string> {
  const parts = unzipSync((await rendering(format, markdown, more)).bytes);
  return Object.entries(parts)
    .filter(([path]) => path.startsWith(name))
    .map(([, bytes]) => strFromU8(bytes))
    .join("\n");
}

async function pdf(markdown: string, more: Partial<RenderTask> = {}) {
  const { bytes, notes } = await rendering("pdf", markdown, more);
  const document = await getDocument({ data: bytes }).promise;
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, async (_, at) => {
      const page = await document.getPage(at + 1);
      const { items } = await page.getTextContent();
      const { fnArray } = await page.getOperatorList();
      const texts = items.flatMap((item) => ("str" in item ? [item] : []));
      return { texts, text: texts.map(({ str }) => str).join(""), paths: fnArray.filter((kind) => kind === OPS.constructPath).length };
    }),
  );
  return { pages, notes, outline: await document.getOutline() };
}

const kinds = "H~2~O, ten to the x^6^, ==marked==, ~~gone~~ and a<sup>th</sup>.";

test("super- and subscripts, marks and struck text are read apart", () => {
  const [block] = parseMarkdown(kinds).blocks;
  expect(block).toMatchObject({
    runs: [
      { text: "H" },
      { text: "2", script: "sub" },
      { text: "O, ten to the x" },
      { text: "6", script: "super" },
      { text: ", " },
      { text: "marked", mark: true },
      { text: ", " },
      { text: "gone", strike: true },
      { text: " and a" },
      { text: "th", script: "super" },
      { text: "." },
    ],
  });
});

test.each(["$5 and $10", "US$6 or A$7", "Fee $5, or about six$", "a==b and c==d", "2^10 and 2^5", "snake~case"])(
  "%s is text and no format",
  (text) => {
    expect(parseMarkdown(text).blocks).toMatchObject([
      { kind: "paragraph", runs: expect.not.arrayContaining([expect.objectContaining({ formula: expect.anything() })]) },
    ]);
    const [block] = parseMarkdown(text).blocks;
    expect(block?.kind === "paragraph" && block.runs.map((run) => run.text).join("")).toBe(text);
  },
);

test("a Word document and a presentation carry the formats in their XML", async () => {
  const word = await part("docx", "word/document.xml", kinds);
  expect(word).toMatch(/w:val="subscript"\/>.*?<w:t xml:space="preserve">2</);
  expect(word).toMatch(/w:val="superscript"\/>.*?<w:t xml:space="preserve">6</);
  expect(word).toMatch(/w:fill="FFF1A8"[^>]*\/>.*?marked/);
  const slide = await part("pptx", "ppt/slides/slide1.xml", `# A\n\n${kinds}`);
  expect(slide).toMatch(/baseline="-\d+".*?<a:t>2</);
  expect(slide).toMatch(/<a:highlight>.*?<a:t>marked</);
});

test("a workbook shows small signs as those of Unicode", async () => {
  expect(await part("xlsx", "xl/", "# A\n\n| a |\n|---|\n| 10^6^ m^2^ and H~2~O |\n")).toContain("10⁶ m² and H₂O");
});

const notes =
  "One[^a], two[^b] and one again[^a], inline^[so *it* is].\n\n[^b]: Second, with $x^2$.\n[^a]: The **first**.\n\n    More of it.\n[^c]: Unused.\n";

test("footnotes are numbered by their marks, and one without a mark is named", async () => {
  const tree = parseMarkdown(notes);
  expect(tree.footnotes.map((runs) => runs.map(({ text }) => text).join(""))).toEqual([
    "The first.\nMore of it.",
    "Second, with x^2.",
    "so it is",
  ]);
  expect(tree.notes).toEqual(["Footnotes without a mark in the text were left out: c."]);
  expect(parseMarkdown("Missing[^x]").blocks).toMatchObject([{ runs: [{ text: "Missing" }, { text: "[^x]" }] }]);
});

test("footnotes are those of Word, the foot of a slide, rows of a sheet, and the end of a PDF", async () => {
  expect(await part("docx", "word/footnotes.xml", notes)).toContain("The ");
  const word = await part("docx", "word/document.xml", notes);
  expect(word.match(/<w:footnoteReference /g)).toHaveLength(3);
  expect(await part("pptx", "ppt/slides/slide1.xml", `# A\n\n${notes}`)).toMatch(/first.*More of it/s);
  expect(await part("xlsx", "xl/", notes)).toContain("[1] The first.");
  const { pages } = await pdf(notes);
  expect(pages[0]?.text).toMatch(/One1, two2 and one again1, inline3\..*1\. The first\..*More of it\..*3\. so it is/s);
});

test.each([
  "\\pagebreak",
  "\\newpage",
  '<div style="page-break-after: always"></div>',
  '<div style="page-break-after: always;">\n</div>',
  '<p style="break-before: page">&nbsp;</p>',
  "<!-- pagebreak -->",
  "<!-- page-break -->",
])("%s breaks the page, and leaves no trace", async (mark) => {
  const markdown = `# A\n\nBefore.\n\n${mark}\n\nBehind.\n\n${mark}\n`;
  const { pages } = await pdf(markdown);
  expect(pages.map(({ texts }) => texts.some(({ str }) => str.includes("Behind")))).toEqual([false, true]);
  expect(pages.map(({ text }) => text).join("")).not.toMatch(/page|<|\\/i);
  expect(await part("docx", "word/document.xml", markdown)).toContain("<w:pageBreakBefore/>");
  expect((await rendering("pptx", markdown)).extent).toBe("2 slides");
});

test("a page break directly below a line of text counts", () => {
  expect(parseMarkdown("Before.\n\\newpage\nBehind.").blocks.map(({ kind }) => kind)).toEqual(["paragraph", "page-break", "paragraph"]);
});

const formulas = "Energy is $E = mc^2$, and \\(a_1\\).\n\n$$\n\\sum_{i=1}^{n} \\frac{x_i}{\\sqrt{2}}\n$$\n\n| a |\n|---|\n| $\\pi r^2$ |\n";

test("formulas are outlines in a PDF, with text that can be searched, and nothing of TeX is left", async () => {
  const { pages, notes: said } = await pdf(formulas);
  expect(said).toEqual([]);
  expect(pages[0]?.text).toContain("E = mc²");
  expect(pages[0]?.text).not.toMatch(/[$\\]|frac/);
  expect(pages[0]?.paths).toBeGreaterThan(12);
});

test("formulas are those of Word, a picture or text of a slide, and text of a sheet", async () => {
  const word = await part("docx", "word/document.xml", formulas);
  expect(word).toMatch(/<m:oMathPara[ >].*<m:nary>.*<m:chr m:val="∑"\/>.*<m:f><m:num>.*<m:rad>/s);
  expect(word).toMatch(/<m:sSup><m:e>.*?c<.*?<m:sup>.*?2</s);
  const slide = await part("pptx", "ppt/slides/slide1.xml", `# A\n\n${formulas}`);
  expect(slide).toContain("E = mc²");
  expect(slide).toMatch(/<p:pic>.*descr="∑ᵢ₌₁ⁿ xᵢ\/√2"/s);
  const sheet = await part("xlsx", "xl/", formulas);
  expect(sheet).toContain("πr²");
  expect([word, slide, sheet].join("")).not.toMatch(/\\frac|\$/);
});

test("a formula that TeX cannot read stays as it was written, and the result says why", async () => {
  const { notes: said } = await rendering("docx", "Wrong: $\\frac{a$.");
  expect(said).toEqual(["The formula \\frac{a is shown as it was written: Missing close brace."]);
});

test("emoji are drawn in a PDF, and the flag of a country is named", async () => {
  const plain = await pdf("Launch.");
  const drawn = await pdf("Launch 🚀 👩‍💻 `✅` 🇩🇪.");
  expect(drawn.pages[0]?.paths).toBeGreaterThan((plain.pages[0]?.paths ?? 0) + 20);
  expect(drawn.notes).toEqual(["Emoji without a picture are written as letters: 🇩🇪 (DE)"]);
});

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>');

test("the alternative text of a picture is its caption, and the name of its file is none", async () => {
  const markdown = "# A\n\n![Sales by region](a.svg)\n\n![b](b.svg)\n";
  const images = { "a.svg": svg, "b.svg": svg };
  const shown = (await pdf(markdown, { images })).pages[0]?.texts.map(({ str }) => str);
  expect(shown).toContain("Sales by region");
  expect(shown).not.toContain("b");
  const word = await part("docx", "word/document.xml", markdown, { images });
  expect(word.match(/w:val="Caption"/g)).toHaveLength(1);
  expect(await part("pptx", "ppt/slides/slide1.xml", markdown, { images })).toContain("<a:t>Sales by region</a:t>");
  expect((await rendering("xlsx", markdown, { images })).notes.join()).toContain("Left out: 2 pictures");
});

const twelve = Array.from({ length: 12 }, (_, at) => `Month ${at + 1}`);
const wide = `| ${twelve.join(" | ")} |\n|${"---:|".repeat(12)}\n| ${twelve.map(() => "1,000,000").join(" | ")} |\n`;

test("a number in a table of twelve columns is not broken", async () => {
  const { pages } = await pdf(wide);
  expect(pages[0]?.texts.filter(({ str }) => str.includes("1,000,000"))).toHaveLength(12);
  const word = await part("docx", "word/document.xml", wide);
  const widths = [...word.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
  const points = Number(/<w:sz w:val="(\d+)"\/>(?:(?!<w:sz ).)*1,000,000/s.exec(word)?.[1]) / 2;
  // Nine signs of a wide font, in twentieths of a point.
  for (const width of widths) expect(width - 100).toBeGreaterThan(7 * 0.636 * points * 20);
});

test("a column is as wide as its contents ask: a number's is narrow, and a name's keeps its lines", async () => {
  const markdown = "| No | Customer | Date |\n|---|---|---|\n| 1 | Müller & Söhne Maschinenbau GmbH | 2026-05-01 |\n";
  const { pages } = await pdf(markdown);
  expect(pages[0]?.texts.map(({ str }) => str)).toContain("Müller & Söhne Maschinenbau GmbH");
  const word = await part("docx", "word/document.xml", markdown);
  const [number = 0, customer = 0] = [...word.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
  expect(customer).toBeGreaterThan(4 * number);
});

test("a PDF and a Word document have a cover and a contents page when asked", async () => {
  const markdown = "# Report\n\n## First\n\nText.\n\n\\newpage\n\n## Second\n\nText.\n";
  const { pages, outline } = await pdf(markdown, { cover: true, contents: "Inhalt" });
  expect(pages.map(({ text }) => text.slice(0, 20))).toEqual([
    expect.stringContaining("Report"),
    expect.any(String),
    expect.any(String),
    expect.any(String),
  ]);
  expect(pages[1]?.text).toMatch(/Inhalt.*First 3.*Second 4/);
  expect(outline.map(({ title }) => title)).toEqual(["First", "Second"]);
  const word = await part("docx", "word/document.xml", markdown, { cover: true, contents: true });
  expect(word).toMatch(/Contents.*TOC \\h \\o.*First.*Second/s);
  expect(word).toContain("<w:titlePg");
  expect(await part("docx", "word/document.xml", markdown)).not.toContain("TOC ");
});
