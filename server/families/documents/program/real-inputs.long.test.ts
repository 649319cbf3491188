import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Resvg } from "@resvg/resvg-js";
import pdfmake from "pdfmake";
import { expect, test } from "vitest";
import writeXlsxFile from "write-excel-file/node";
import type { DocumentKind } from "@/server/platform/formats/document-kind";
import { temporaryFolder } from "@/server/testing/tool-context";
import type { Extracted, ExtractTask } from "./document-task.ts";
import { packagesFolder } from "./package-file.ts";
import { extract } from "./read/extract.ts";
import { installedLanguages } from "./read/recognition-data.ts";
import { fontFiles } from "./write/pdf-fonts.ts";
import { render } from "./write/render.ts";

/** Inputs as large as people have them, made by other writers than ours. */
const reading = (kind: DocumentKind, bytes: Uint8Array, more: Partial<ExtractTask> = {}): Promise<Extracted> =>
  extract({ work: "extract", kind, bytes, sheets: [], method: "auto", changes: "accepted", maxChars: 500_000, ...more });

type Content = Parameters<typeof pdfmake.createPdf>[0]["content"];
const pdfOf = (content: Content): Promise<Uint8Array> => {
  pdfmake.setFonts(fontFiles());
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(() => true);
  return pdfmake.createPdf({ content, defaultStyle: { font: "Latin" } }).getBuffer();
};

/** A picture of a page with some lines of text, as a scanner makes it. */
function scanOf(lines: readonly string[]): string {
  const text = lines.map((line, at) => `<text x="60" y="${110 + at * 60}" font-size="36" font-family="Noto Sans">${line}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="${160 + lines.length * 60}"><rect width="100%" height="100%" fill="white"/>${text.join("")}</svg>`;
  const font = { fontFiles: [path.join(packagesFolder, "@embedpdf/fonts-latin/fonts/NotoSans-Regular.ttf")], loadSystemFonts: false };
  return `data:image/png;base64,${Buffer.from(new Resvg(svg, { font }).render().asPng()).toString("base64")}`;
}

test("a PDF of 200 pages is read whole, and any pages of it alone", { timeout: 120_000 }, async () => {
  const sentence = "Every page has some text like this one. ".repeat(20);
  const bytes = await pdfOf(
    Array.from({ length: 200 }, (_, at) => ({
      text: `Chapter ${at + 1} begins. ${sentence}`,
      ...(at > 0 ? { pageBreak: "before" as const } : {}),
    })),
  );
  const whole = await reading("pdf", bytes, { pages: "1-200" });
  expect(whole.text.match(/Chapter \d+ begins/g)).toHaveLength(200);
  const some = await reading("pdf", bytes, { pages: "7,199-" });
  expect(some.text.match(/Chapter \d+ begins/g)).toEqual(["Chapter 7 begins", "Chapter 199 begins", "Chapter 200 begins"]);
});

test("a workbook of 60,000 rows is read by ranges of rows, and says how to go on", { timeout: 120_000 }, async () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => [{ value: at + 1 }, { value: `customer ${at + 1}` }, { value: (at * 7) % 1_000 }]);
  const bytes = await writeXlsxFile(rows, { sheet: "Data" }).toBuffer();
  const last = await reading("xlsx", bytes, { rows: "59999-60000" });
  expect(last.text).toContain("59999\t59999\tcustomer 59999\t986\n60000\t60000\tcustomer 60000\t993");
  const first = await reading("xlsx", bytes, { maxChars: 100_000 });
  expect(first.isTruncated).toBe(true);
  expect(first.notes.join()).toMatch(/Go on with sheets \["Data"\] and rows "\d+-"/);
});

test("a scanned page is read by text recognition, beside a page of text", { timeout: 120_000 }, async () => {
  const scan = scanOf(["Invoice number 4711", "Total amount: 1,234 euro", "Payable within thirty days"]);
  const bytes = await pdfOf([{ text: "This page has text of its own." }, { image: scan, width: 480, pageBreak: "before" }]);
  const { text, method } = await reading("pdf", bytes);
  expect(text).toContain("This page has text of its own.");
  expect(text).toMatch(/Invoice number 4711\s+Total amount: 1,234 euro\s+Payable within thirty days/);
  expect(method).toMatch(/OCR/);
});

test("recognition takes the languages whose data is installed, English first", () => {
  const folder = temporaryFolder();
  expect(installedLanguages(folder)).toEqual([]);
  for (const code of ["deu", "eng", "osd", "empty"]) {
    mkdirSync(path.join(folder, "@tesseract.js-data", code, "4.0.0_best_int"), { recursive: true });
    if (code !== "empty") writeFileSync(path.join(folder, "@tesseract.js-data", code, `4.0.0_best_int/${code}.traineddata.gz`), "");
  }
  expect(installedLanguages(folder).map(({ code }) => code)).toEqual(["eng", "deu"]);
});

test("a PDF shows Chinese, Japanese and Korean with embedded fonts, and names no missing sign", async () => {
  const markdown =
    "# 보고서 报告 レポート\n\n한국어 문장입니다. 中文句子。日本語の文です。\n\n| 이름 | 값 |\n|---|---|\n| **서울** | 1 |\n";
  const task = {
    work: "render" as const,
    format: "pdf" as const,
    markdown,
    images: {},
    pageSize: "A4" as const,
    aspectRatio: "16:9" as const,
    cover: false,
    contents: false,
  };
  const { bytes, notes } = await render(task);
  expect(notes).toEqual([]);
  const { text } = await reading("pdf", bytes);
  for (const words of ["한국어 문장입니다", "中文句子", "日本語の文です", "서울"]) expect(text).toContain(words);
});
