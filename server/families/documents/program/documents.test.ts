import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import type { DocumentKind } from "@/server/platform/formats/document-kind";
import type { Extracted, ExtractTask, RenderTask } from "./document-task.ts";
import { extract } from "./read/extract.ts";
import { render } from "./write/render.ts";

const report = `---
title: Report 报告
---

# Summary

Revenue grew by **12 %**; see [the site](https://example.com/?a=1&b=2). 本季度收入增长。

## Figures

| Region | Revenue | Comment |
|:---|---:|---|
| Asia 亚洲 | 1,234.50 | =SUM(A1:A9) |
| Europe | 007 | a \\| b |

1. First
   - Nested

<!-- Speak slowly. -->

<script>alert("gone")</script>
`;

const rendering = (format: RenderTask["format"], more: Partial<RenderTask> = {}) =>
  render({
    work: "render",
    format,
    markdown: report,
    images: {},
    pageSize: "A4",
    aspectRatio: "16:9",
    cover: true,
    contents: false,
    ...more,
  });
const reading = (kind: DocumentKind, bytes: Uint8Array, more: Partial<ExtractTask> = {}): Promise<Extracted> =>
  extract({ work: "extract", kind, bytes, sheets: [], method: "auto", changes: "accepted", maxChars: 500_000, ...more });

test("a Word document keeps headings, lists, tables and Chinese", async () => {
  const { text } = await reading("docx", (await rendering("docx")).bytes);
  expect(text).toContain("# Summary");
  expect(text).toContain("本季度收入增长。");
  expect(text).toContain("| Asia 亚洲 | 1,234.50 | =SUM(A1:A9) |");
  expect(text).toContain("1. First\n  - Nested");
  expect(text).not.toContain("alert");
});

test("lists of a Word document keep their numbers, and nothing is said of footnotes and speaker notes that are not there", async () => {
  const markdown = "# Steps\n\n1. One\n   1. Inner\n   2. Inner two\n2. Two\n   1. Again\n3. Three\n\nText.\n\n5. Five\n6. Six\n";
  const docx = (await reading("docx", (await rendering("docx", { markdown })).bytes)).text;
  expect(docx).toContain("1. One\n  1. Inner\n  2. Inner two\n2. Two\n  1. Again\n3. Three");
  expect(docx).toContain("5. Five\n6. Six");
  expect(docx).not.toContain("Footnote");
  const pptx = (await reading("pptx", (await rendering("pptx", { markdown })).bytes)).text;
  expect(pptx).toContain("Three");
  expect(pptx).not.toContain("Notes:");
});

test("a workbook has a sheet per heading, numbers as numbers, and no formula", async () => {
  const { bytes, extent } = await rendering("xlsx");
  expect(extent).toBe("2 sheets, 6 rows");
  const { text } = await reading("xlsx", bytes, { sheets: ["figures"] });
  expect(text).toContain("## Sheet 2: Figures\n1\tRegion\tRevenue\tComment\n2\tAsia 亚洲\t1234.5\t=SUM(A1:A9)\n3\tEurope\t007\ta | b");
  expect((await reading("xlsx", bytes, { sheets: ["2"], rows: "2-2" })).text).not.toContain("Europe");
  await expect(reading("xlsx", bytes, { sheets: ["None"] })).rejects.toThrow("The sheets are 1 Summary, 2 Figures");
});

test("a presentation has a cover, a slide per heading and speaker notes", async () => {
  const { bytes, extent } = await rendering("pptx");
  expect(extent).toBe("3 slides");
  const { text } = await reading("pptx", bytes, { pages: "3" });
  expect(text).toMatch(/^## Slide 3\n\n#+ Figures/);
  expect(text).toContain("| Region | Revenue | Comment |");
  expect(text).toContain("Notes:\n\nSpeak slowly.");
});

test("a PDF embeds fonts for Chinese, and its pages can be selected", async () => {
  const { bytes, extent, notes } = await rendering("pdf");
  expect({ extent, notes }).toEqual({ extent: "2 pages", notes: [] });
  const { text, extent: read } = await reading("pdf", bytes, { pages: "2-" });
  expect(read).toBe("page 2 of 2");
  expect(text).toContain("本季度收入增长");
  expect(text).not.toContain("[Page 1]");
  await expect(reading("pdf", bytes, { pages: "7" })).rejects.toThrow("pages: the document has 2 pages");
});

test.each([
  ["a code block", (word: string) => `\`\`\`\n${word}\n\`\`\`\n`],
  ["a quote", (word: string) => `> ${word}\n`],
  ["a paragraph", (word: string) => `${word}\n`],
  ["a table", (word: string) => `| a | b |\n|---|---|\n| ${word} | 1 |\n`],
])("a word longer than a line of %s is broken, and none of it lies outside of the page", async (_where, markdownOf) => {
  const { bytes } = await rendering("pdf", { markdown: markdownOf(`https://example.test/${"abcdefghij".repeat(20)}END`) });
  const document = await getDocument({ data: bytes }).promise;
  const page = await document.getPage(1);
  const { items } = await page.getTextContent();
  const ends = items.flatMap((item) => ("str" in item ? [Number(item.transform[4]) + item.width] : []));
  expect(Math.max(...ends)).toBeLessThan(page.getViewport({ scale: 1 }).width - 60);
  expect(items.map((item) => ("str" in item ? item.str : "")).join("")).toContain("END");
});

test("a list item of a slide with a formatted word has properties once, so that its bullet stays", async () => {
  const { bytes } = await rendering("pptx", { markdown: "# A\n\n- Nested **point** with `code`\n" });
  const slides = Object.entries(unzipSync(bytes)).filter(([name]) => /^ppt\/slides\/[^/]+\.xml$/.test(name));
  const paragraphs = slides.flatMap(([, xml]) => strFromU8(xml).match(/<a:p>.*?<\/a:p>/gs) ?? []);
  expect(paragraphs.find((xml) => xml.includes("Nested"))).toContain("buChar");
  for (const paragraph of paragraphs) expect(paragraph.match(/<a:pPr\b/g)?.length ?? 0).toBeLessThanOrEqual(1);
});

test("numbers of a workbook show the decimals that were written", async () => {
  const { bytes } = await rendering("xlsx", { markdown: "# A\n\n| a |\n|---|\n| 987.10 |\n" });
  expect(strFromU8(unzipSync(bytes)["xl/styles.xml"] ?? new Uint8Array())).toMatch(/formatCode="0\.00"|numFmtId="2"/);
});

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" width="20" height="10">${content}</svg>`;

test("an SVG is drawn, and a file that is no picture is left out", async () => {
  const images = {
    "a.svg": strToU8(svg('<a href="https://example.com"><rect id="r" width="9" height="9"/></a><use href="#r"/>')),
    "c.png": strToU8("no picture"),
  };
  const { bytes, notes } = await rendering("docx", { markdown: "![A](a.svg)\n\n![C](c.png)", images });
  expect(notes).toEqual([expect.stringContaining("c.png was left out")]);
  expect(Buffer.from(bytes).includes("word/media/")).toBe(true);
});

test.each([
  ["a file", svg('<image href="/etc/picture.png" width="9" height="9"/>'), "names /etc/picture.png outside"],
  ["a relative file", svg('<image l:href="picture.png" width="9" height="9"/>'), "names picture.png outside"],
  ["a file by references", svg('<image href="&#47;etc/picture.png" width="9" height="9"/>'), "names /etc/picture.png outside"],
  ["an address", svg('<feImage href="http://127.0.0.1/x.png"/>'), "outside of itself"],
  ["an SVG of its own", svg('<image href="data:image/svg+xml;base64,AAAA"/>'), "outside of itself"],
  ["an entity", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("<text>&a;</text>")}`, "declares a document type"],
])("an SVG that names %s is not drawn", async (_name, source, reason) => {
  const { notes } = await rendering("docx", { markdown: "![A](a.svg)", images: { "a.svg": strToU8(source) } });
  expect(notes.join()).toContain(reason);
});

test("HTML and OpenDocument give Markdown", async () => {
  const html =
    "<title>T</title><h1>One</h1><p>Two <b>three</b></p><ul><li>x</li></ul><table><tr><td>a</td><td>b</td></tr></table><script>no</script>";
  expect((await reading("html", strToU8(html))).text).toBe("Title: T\n\n# One\n\nTwo three\n- x\n\n| a | b |\n| --- | --- |");
  const rows =
    '<table:table-row><table:table-cell office:value-type="float" office:value="4.5"><text:p>4,5</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row>';
  const content = `<x><table:table table:name="S"><table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row>${rows}</table:table></x>`;
  expect((await reading("ods", zipSync({ "content.xml": strToU8(content) }))).text).toBe("## Sheet 1: S\n1000001\t4.5");
  const text = '<x><text:h text:outline-level="2">Head</text:h><text:list><text:p>a<text:s text:c="2"/>b</text:p></text:list></x>';
  expect((await reading("odt", zipSync({ "content.xml": strToU8(text) }))).text).toBe("## Head\n- a  b");
});

test("comments and tracked deletions of OpenDocument are said to be left out", async () => {
  const deleted =
    "<text:tracked-changes><text:changed-region><text:deletion><text:p>Gone</text:p></text:deletion></text:changed-region></text:tracked-changes>";
  const comment = "<office:annotation><text:p>A remark</text:p></office:annotation>";
  const text = await reading("odt", zipSync({ "content.xml": strToU8(`<x>${deleted}<text:p>Kept${comment}${comment}</text:p></x>`) }));
  expect(text).toMatchObject({ text: "Kept", notes: ["Left out: 1 tracked deletion, 2 comments."] });
  const slides = `<x><draw:page><text:p>One</text:p></draw:page><draw:page>${comment}<text:p>Two</text:p></draw:page></x>`;
  const read = await reading("odp", zipSync({ "content.xml": strToU8(slides) }), { pages: "2" });
  expect(read.notes).toEqual(["Left out: 1 comment."]);
});

test("a cut text says where to go on", async () => {
  const { bytes } = await rendering("xlsx");
  const cut = await reading("xlsx", bytes, { sheets: ["2"], maxChars: 60 });
  expect(cut).toMatchObject({ isTruncated: true, notes: ['Go on with sheets ["Figures"] and rows "2-".'] });
});

test.each([
  [
    "entities of XML",
    zipSync({ "word/document.xml": strToU8('<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c SYSTEM "file:///etc/passwd">]><w:p>&a;&c;</w:p>') }),
    "document type",
  ],
  ["an archive bomb", zipSync({ "word/document.xml": new Uint8Array(16 * 1_048_576) }, { level: 9 }), "archive bomb"],
  ["deep nesting", zipSync({ "word/document.xml": strToU8(`${"<a>".repeat(5_000)}${"</a>".repeat(5_000)}`) }), "levels deep"],
  ["a missing part", zipSync({ "word/other.xml": strToU8("x") }), "no part word/document.xml"],
  ["a path out of the archive", zipSync({ "../../etc/passwd": strToU8("x") }), "invalid relative path"],
  ["no archive", strToU8("PK\u0003\u0004 nothing"), "not a readable archive"],
])("a document with %s is refused", async (_name, bytes, reason) => {
  await expect(reading("docx", bytes)).rejects.toThrow(reason);
});

test("a false size of an archive's part ends its decompression", async () => {
  const bytes = zipSync({ "word/document.xml": strToU8(`<w:p><w:t>${"a".repeat(200_000)}</w:t></w:p>`) });
  const view = new DataView(bytes.buffer);
  const directory = Buffer.from(bytes).lastIndexOf(Buffer.from("PK\u0001\u0002", "latin1"));
  view.setUint32(directory + 24, 100, true);
  await expect(reading("docx", bytes)).rejects.toThrow(/too many bytes/);
});

test("nested quotes and lists without end are refused", async () => {
  await expect(rendering("docx", { markdown: `${">".repeat(300)} deep` })).rejects.toThrow("nested more than");
});
