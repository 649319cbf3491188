import pdfmake from "pdfmake";
import type { Content } from "pdfmake/interfaces";
import type { PageSize, Rendered, RenderTask } from "../document-task.ts";
import { type DocumentTree, type Formula, titleOf } from "./document-tree.ts";
import type { Drawing } from "./drawing.ts";
import type { Pictures } from "./images.ts";
import { orientBlocks } from "./page-orientation.ts";
import { hex, palette } from "./palette.ts";
import { PdfBlocks } from "./pdf-blocks.ts";
import { allowDrawings } from "./pdf-drawings.ts";
import { type FontRuns, fontFiles, fontRuns } from "./pdf-fonts.ts";
import { isTooWideForPdf } from "./pdf-table.ts";

const inch = 72;
const pages: Record<PageSize, { width: number; height: number }> = {
  A4: { width: 595.28, height: 841.89 },
  LETTER: { width: 612, height: 792 },
};

/** Writes a PDF: margins of one inch, cover, contents, title in the header, page numbers. Fonts are embedded as subsets. */
export async function writePdf(tree: DocumentTree, pictures: Pictures, task: RenderTask): Promise<Rendered> {
  const { pageSize } = task;
  const page = pages[pageSize];
  const fonts = fontRuns();
  const title = titleOf(tree);
  const hasCover = task.cover && title !== null;
  const blocks = hasCover && title.isHeading ? tree.blocks.slice(1) : tree.blocks;
  const widths = { portrait: page.width - 2 * inch, landscape: page.height - 2 * inch };
  const writer = new PdfBlocks({ pictures, fonts, widths, formulas: await drawnFormulas(tree) });
  const groups = orientBlocks(blocks, (table) => isTooWideForPdf(table, widths.portrait));
  const opensUpright = hasCover || task.contents !== false;
  const pageOrientation = opensUpright ? "portrait" : (groups[0]?.orientation ?? "portrait");
  let pageCount = 0;
  const edge = (text: string): Content => ({
    text: fonts.plain(text),
    fontSize: 8.5,
    color: hex(palette.quiet),
    margin: [inch, 34, inch, 0],
    alignment: "right",
  });
  allowDrawings();
  pdfmake.setFonts(fontFiles());
  // Everything that the document needs is in memory; fonts are the only files that are read.
  pdfmake.setUrlAccessPolicy(() => false);
  const fontPaths = new Set(Object.values(fontFiles()).flatMap((family) => Object.values(family)));
  pdfmake.setLocalAccessPolicy((file: string) => fontPaths.has(file));
  const bytes = await pdfmake
    .createPdf({
      pageSize,
      pageOrientation,
      pageMargins: inch,
      info: { title: title?.title ?? "", author: tree.front.author ?? "" },
      defaultStyle: { font: "Latin", fontSize: 10.5, lineHeight: 1.25, color: hex(palette.ink) },
      header: (current: number) => (title && !(hasCover && current === 1) ? edge(title.title) : null),
      footer: (current: number, count: number) => {
        pageCount = count;
        return hasCover && current === 1 ? null : edge(`${current} / ${count}`);
      },
      content: [
        ...(hasCover ? cover(tree, title.title, fonts, page.height) : []),
        ...(task.contents ? contents(task.contents === true ? "Contents" : task.contents, fonts) : []),
        ...writer.all(groups, pageOrientation),
        ...writer.footnotes(tree.footnotes),
      ],
    })
    .getBuffer();
  const missing = fonts.missing();
  const spelled = fonts.spelled();
  const notes = [
    ...writer.notes,
    ...(spelled.length > 0 ? [`Emoji without a picture are written as letters: ${spelled.slice(0, 20).join(", ")}`] : []),
    ...(missing.length > 0 ? [`No installed font has these characters: ${missing.slice(0, 20).join(" ")}`] : []),
  ];
  return { bytes: new Uint8Array(bytes), extent: `${pageCount} ${pageCount === 1 ? "page" : "pages"}`, notes };
}

async function drawnFormulas({ formulas }: DocumentTree): Promise<Map<Formula, Drawing>> {
  const drawn = new Map<Formula, Drawing>();
  for (const { formula } of formulas) {
    if (formula?.root) drawn.set(formula, await (await import("./math/typeset.ts")).drawFormula(formula, hex(palette.ink)));
  }
  return drawn;
}

function cover({ front }: DocumentTree, title: string, fonts: FontRuns, height: number): Content[] {
  const small = [front.author, front.date].filter((text) => text).join("  ·  ");
  return [
    { canvas: [{ type: "rect", x: 0, y: 0, w: 56, h: 4, color: hex(palette.accent) }], margin: [0, height * 0.26, 0, 18] },
    { text: fonts.plain(title, true), fontSize: 30, bold: true, color: hex(palette.heading), lineHeight: 1.15, margin: [0, 0, 0, 10] },
    ...(front.subtitle
      ? [{ text: fonts.plain(front.subtitle), fontSize: 15, color: hex(palette.quiet), margin: [0, 0, 0, 18] } as Content]
      : []),
    { text: fonts.plain(small || " "), fontSize: 10.5, color: hex(palette.quiet), pageBreak: "after" },
  ];
}

/** A page with the headings of the first three levels and their pages. */
const contents = (title: string, fonts: FontRuns): Content[] => [
  {
    toc: {
      title: { text: fonts.plain(title), bold: true, fontSize: 20, color: hex(palette.heading), margin: [0, 0, 0, 12] },
      numberStyle: { color: hex(palette.quiet) },
    },
  } as Content,
  { text: "", pageBreak: "after" },
];
