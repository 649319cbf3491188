import pdfmake from "pdfmake";
import type { Content, TableCell } from "pdfmake/interfaces";
import type { PageSize, Rendered } from "../document-task.ts";
import { type Block, type DocumentTree, type Run, type Table, titleOf } from "./document-tree.ts";
import { fitted, type Pictures } from "./images.ts";
import { palette } from "./palette.ts";
import { type FontRuns, fontFiles, fontRuns } from "./pdf-fonts.ts";
import { columnShares } from "./table-columns.ts";

const inch = 72;
const pages: Record<PageSize, { width: number; height: number }> = {
  A4: { width: 595.28, height: 841.89 },
  LETTER: { width: 612, height: 792 },
};
const pointsPerPixel = 0.75;
const sizes = [20, 16, 13.5, 12, 11, 10.5];
const codePadding = 9;
const quotePadding = 10;
const ruleWidth = 2.5;
const bullets = ["\u2022", "\u25E6", "\u25AA"];
const hex = (colour: string): string => `#${colour}`;

/** Writes a PDF: margins of one inch, cover, title in the header, page numbers. Fonts are embedded as subsets. */
export async function writePdf(tree: DocumentTree, pictures: Pictures, pageSize: PageSize, wantsCover: boolean): Promise<Rendered> {
  const page = pages[pageSize];
  const fonts = fontRuns();
  const title = titleOf(tree);
  const hasCover = wantsCover && title !== null;
  const blocks = hasCover && title.isHeading ? tree.blocks.slice(1) : tree.blocks;
  const writer = new BlockWriter(pictures, fonts, page.width - 2 * inch);
  let pageCount = 0;
  const edge = (text: string): Content => ({
    text: fonts.plain(text),
    fontSize: 8.5,
    color: hex(palette.quiet),
    margin: [inch, 34, inch, 0],
    alignment: "right",
  });
  pdfmake.setFonts(fontFiles());
  // Everything that the document needs is in memory; fonts are the only files that are read.
  pdfmake.setUrlAccessPolicy(() => false);
  const fontPaths = new Set(Object.values(fontFiles()).flatMap((family) => Object.values(family)));
  pdfmake.setLocalAccessPolicy((file: string) => fontPaths.has(file));
  const bytes = await pdfmake
    .createPdf({
      pageSize,
      pageMargins: inch,
      info: { title: title?.title ?? "", author: tree.front.author ?? "" },
      defaultStyle: { font: "Latin", fontSize: 10.5, lineHeight: 1.25, color: hex(palette.ink) },
      header: (current: number) => (title && !(hasCover && current === 1) ? edge(title.title) : null),
      footer: (current: number, count: number) => {
        pageCount = count;
        return hasCover && current === 1 ? null : edge(`${current} / ${count}`);
      },
      content: [...(hasCover ? cover(tree, title.title, fonts, page.height) : []), ...blocks.flatMap((block) => writer.write(block))],
    })
    .getBuffer();
  const missing = fonts.missing();
  const notes = [
    ...writer.notes,
    ...(missing.length > 0 ? [`No installed font has these characters: ${missing.slice(0, 20).join(" ")}`] : []),
  ];
  return { bytes: new Uint8Array(bytes), extent: `${pageCount} ${pageCount === 1 ? "page" : "pages"}`, notes };
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

class BlockWriter {
  readonly notes: string[] = [];
  readonly #pictures: Pictures;
  readonly #fonts: FontRuns;
  readonly #width: number;

  constructor(pictures: Pictures, fonts: FontRuns, width: number) {
    this.#pictures = pictures;
    this.#fonts = fonts;
    this.#width = width;
  }

  write(block: Block): Content[] {
    switch (block.kind) {
      case "heading":
        return [
          {
            text: this.#runs(block.runs, true),
            bold: true,
            fontSize: sizes[block.level - 1] ?? 10.5,
            color: hex(palette.heading),
            lineHeight: 1.15,
            margin: [0, block.level === 1 ? 16 : 12, 0, 6],
            // Keeps a heading with the text below it: such a heading moves to the next page.
            headlineLevel: block.level,
          },
        ];
      case "paragraph":
        return [block.isQuote ? this.#quote(block.runs) : { text: this.#runs(block.runs), margin: [0, 0, 0, 7] }];
      case "list":
        return this.#list(block);
      case "table":
        return [this.#table(block)];
      case "code":
        return [this.#code(block.text)];
      case "image":
        return [this.#image(block)];
      case "rule":
        return [
          {
            canvas: [{ type: "line", x1: 0, y1: 0, x2: this.#width, y2: 0, lineWidth: 0.75, lineColor: hex(palette.line) }],
            margin: [0, 6, 0, 12],
          },
        ];
      case "comment":
        return [];
    }
  }

  #list({ items }: Extract<Block, { kind: "list" }>): Content[] {
    return items.map((item, index) => ({
      columns: [
        {
          width: item.ordered ? 20 : 12,
          text: this.#fonts.plain(item.ordered ? `${item.number}.` : (bullets[item.level % 3] ?? "\u2022")),
        },
        { width: "*", text: this.#runs(item.runs) },
      ],
      columnGap: 3,
      margin: [8 + Math.min(8, item.level) * 16, 0, 0, index === items.length - 1 ? 8 : 3],
    }));
  }

  #table(table: Table): Content {
    const shares = columnShares(table);
    const padding = 12;
    const width = this.#width - shares.length * padding - (shares.length + 1) * 0.5;
    const cells = (row: Run[][], isHeader: boolean): TableCell[] =>
      shares.map((_, column) => ({
        text: this.#runs(row[column] ?? [], isHeader),
        alignment: table.align[column] ?? "left",
        ...(isHeader ? { bold: true, fillColor: hex(palette.headerFill) } : {}),
      }));
    return {
      fontSize: shares.length > 6 ? 8 : 9.5,
      lineHeight: 1.15,
      margin: [0, 4, 0, 12],
      table: {
        headerRows: 1,
        keepWithHeaderRows: 1,
        widths: shares.map((share) => Math.max(4, share * width)),
        body: [cells(table.header, true), ...table.rows.map((row) => cells(row, false))],
      },
      layout: {
        hLineWidth: () => 0.5,
        vLineWidth: () => 0.5,
        hLineColor: () => hex(palette.line),
        vLineColor: () => hex(palette.line),
        paddingLeft: () => 6,
        paddingRight: () => 6,
        paddingTop: () => 4,
        paddingBottom: () => 3,
      },
    };
  }

  #quote(pieces: Run[]): Content {
    return {
      margin: [0, 2, 0, 9],
      color: hex(palette.quiet),
      table: { widths: [this.#width - quotePadding - ruleWidth], body: [[{ text: this.#runs(pieces) }]] },
      layout: {
        hLineWidth: () => 0,
        vLineWidth: (index: number) => (index === 0 ? ruleWidth : 0),
        vLineColor: () => hex(palette.line),
        paddingLeft: () => quotePadding,
        paddingRight: () => 0,
        paddingTop: () => 1,
        paddingBottom: () => 1,
      },
    };
  }

  #code(text: string): Content {
    return {
      margin: [0, 2, 0, 11],
      table: {
        // A column without a width grows with its longest word, beyond the edge of the page.
        widths: [this.#width - 2 * codePadding],
        body: [[{ text: this.#fonts.split(text, { mono: true }), fontSize: 8.5, preserveLeadingSpaces: true, lineHeight: 1.2 }]],
      },
      layout: {
        hLineWidth: () => 0,
        vLineWidth: () => 0,
        fillColor: () => hex(palette.codeFill),
        paddingLeft: () => codePadding,
        paddingRight: () => codePadding,
        paddingTop: () => 7,
        paddingBottom: () => 6,
      },
    };
  }

  #image({ address, alternative }: Extract<Block, { kind: "image" }>): Content {
    const picture = this.#pictures.get(address);
    // PDF holds PNG and JPEG only.
    if (!picture || picture.type === "gif" || picture.type === "bmp") {
      if (picture) this.notes.push(`The image ${address.slice(0, 200)} was left out, because a PDF holds PNG, JPEG and SVG. Convert it.`);
      return { text: this.#fonts.plain(`[${alternative || address}]`), color: hex(palette.quiet), margin: [0, 0, 0, 7] };
    }
    const { width } = fitted(picture, { width: this.#width / pointsPerPixel, height: 620 / pointsPerPixel });
    const data = `data:image/${picture.type === "jpg" ? "jpeg" : "png"};base64,${Buffer.from(picture.bytes).toString("base64")}`;
    return { image: data, width: width * pointsPerPixel, alignment: "center", margin: [0, 6, 0, 10] };
  }

  #runs(pieces: readonly Run[], isBold = false) {
    return pieces.flatMap(({ text, bold, italic, code, strike, link }) =>
      this.#fonts.split(text, { mono: code === true, bold: isBold || bold === true, italic: italic === true }).map((piece) => ({
        ...piece,
        ...(code ? { background: hex(palette.codeFill) } : {}),
        ...(strike ? { decoration: "lineThrough" as const } : {}),
        ...(link ? { link, color: hex(palette.accent), decoration: "underline" as const } : {}),
      })),
    );
  }
}
