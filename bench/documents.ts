import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Connection } from "./connection";
import { folderOf, timedCall } from "./conversation-folder";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { median } from "./statistics";
import { turnRequest, withProduct } from "./with-product";

const pageCount = scaled(200, 20);
const rounds = scaled(5, 2);

/** Extraction of a PDF beside pdftotext, and rendering of Markdown beside pandoc. */
export const documents = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const { conversations, product, asAgent } = given;
    const [id = ""] = await conversations(1);
    const folder = await folderOf(given, id);
    const connection = await Connection.open(product.port);
    const call = (name: string, args: object) => timedCall(connection, turnRequest(product.port, id, asAgent, name, args));
    for (const toolName of ["extract_document", "render_docx", "render_pdf"]) await call("enable_tool", { toolName });
    const markdown = report(pageCount);
    await writeFile(path.join(folder, "report.md"), markdown);
    await writeFile(path.join(folder, "pages.pdf"), await longPdf(pageCount));

    const lines: Line[] = [];
    const compare = async (measured: string, program: string, ours: () => Promise<unknown>, args: string[]) => {
      if (spawnSync(program, ["--version"]).error) {
        lines.push({ measured, ours: "not measured", anchor: `${program} is not installed` });
        return;
      }
      const pairs: { ours: number; anchor: number }[] = [];
      for (let round = 0; round < rounds; round++) pairs.push({ ours: await elapsed(ours), anchor: runProgram(program, args, folder) });
      lines.push({
        measured: `${measured} / ${program}`,
        ours: milliseconds(median(pairs.map((pair) => pair.ours))),
        anchor: milliseconds(median(pairs.map((pair) => pair.anchor))),
        ratio: median(pairs.map((pair) => pair.ours / pair.anchor)),
      });
    };
    const pdf = { path: "pages.pdf", pages: `1-${pageCount}` };
    await compare(`extract_document, PDF of ${pageCount} pages`, "pdftotext", () => call("extract_document", pdf), [
      "pages.pdf",
      "out.txt",
    ]);
    const size = `Markdown of ${Math.round(markdown.length / 1_024)} kB with tables`;
    await compare(`render_docx, ${size}`, "pandoc", () => call("render_docx", { path: "report.md" }), ["report.md", "-o", "out.docx"]);
    // Pandoc makes a PDF only with another program, so its page in HTML stands for its part of the work.
    await compare(`render_pdf, ${size}`, "pandoc", () => call("render_pdf", { path: "report.md" }), ["report.md", "-s", "-o", "out.html"]);
    connection.close();
    return lines;
  });

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function runProgram(program: string, args: string[], cwd: string): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(0, 300)}`);
  return performance.now() - began;
}

function report(sections: number): string {
  const paragraph = "The quarter went as planned, and the figures below say by how much. ".repeat(6);
  return Array.from(
    { length: sections },
    (_, at) => `## Section ${at + 1}\n\n${paragraph}\n\n| name | value |\n|---|---|\n| a | ${at} |\n| b | ${at * 2} |\n`,
  ).join("\n");
}

/** A PDF with a page of text for each number, made by the same library as our own. */
async function longPdf(pages: number): Promise<Uint8Array> {
  const { default: pdfmake } = await import("pdfmake");
  const font = path.resolve(import.meta.dirname, "../node_modules/@embedpdf/fonts-latin/fonts/NotoSans-Regular.ttf");
  pdfmake.setFonts({ Roboto: { normal: font, bold: font, italics: font, bolditalics: font } });
  const sentence = "Every page has some forty lines of text like this one, as reports and contracts have. ".repeat(24);
  const content = Array.from({ length: pages }, (_, at) => ({
    text: `Page number ${at + 1}. ${sentence}`,
    ...(at > 0 ? { pageBreak: "before" as const } : {}),
  }));
  return pdfmake.createPdf({ content }).getBuffer();
}
