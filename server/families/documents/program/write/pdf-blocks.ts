import type { Column, Content } from "pdfmake/interfaces";
import { type Block, captionOf, type Formula, headingText, type Run } from "./document-tree.ts";
import type { Drawing } from "./drawing.ts";
import { fitted, type Pictures } from "./images.ts";
import type { OrientedBlocks, PageOrientation } from "./page-orientation.ts";
import { hex, palette } from "./palette.ts";
import type { FontPiece, FontRuns, PdfText } from "./pdf-fonts.ts";
import { fittingTables, pdfTable } from "./pdf-table.ts";
import { sideOf, splitByDirection } from "./right-to-left.ts";

const pointsPerPixel = 0.75;
const textSize = 10.5;
const sizes = [20, 16, 13.5, 12, 11, textSize];
const maxContentsDepth = 3;
const codePadding = 9;
const quotePadding = 10;
const ruleWidth = 2.5;
const bullets = ["\u2022", "\u25E6", "\u25AA"];
/** Characters of a paragraph that stays on the page of its heading. */
const keptChars = 600;
const keptRows = 8;
/** Height of the first lines of a longer block. */
const keptHeight = 48;

/** Width of the text on a page, upright and turned. */
export type TextWidths = Record<PageOrientation, number>;
type Parts = { pictures: Pictures; fonts: FontRuns; widths: TextWidths; formulas: ReadonlyMap<Formula, Drawing> };

/** Writes the blocks of a document as content of pdfmake. */
export class PdfBlocks {
  readonly notes: string[] = [];
  readonly #pictures: Pictures;
  readonly #fonts: FontRuns;
  readonly #widths: TextWidths;
  #width: number;
  readonly #formulas: ReadonlyMap<Formula, Drawing>;

  constructor({ pictures, fonts, widths, formulas }: Parts) {
    this.#pictures = pictures;
    this.#fonts = fonts;
    this.#widths = widths;
    this.#width = widths.portrait;
    this.#formulas = formulas;
  }

  /** Writes all blocks, wide tables on landscape pages. `first` is the orientation of the page on which they begin. */
  all(groups: readonly OrientedBlocks[], first: PageOrientation): Content[] {
    let current = first;
    return groups.flatMap(({ orientation, blocks }) => {
      this.#width = this.#widths[orientation];
      const content = this.#group(blocks);
      const [opening] = content;
      if (orientation !== current && opening && typeof opening === "object")
        Object.assign(opening, { pageBreak: "before", pageOrientation: orientation });
      current = orientation;
      return content;
    });
  }

  /** A heading stays on the page of the block below it. */
  #group(blocks: readonly Block[]): Content[] {
    const content: Content[] = [];
    let kept: Content[] = [];
    let isNewPage = false;
    const add = (parts: Content[]) => {
      const [first] = parts;
      if (isNewPage && first && typeof first === "object") Object.assign(first, { pageBreak: "before" });
      if (first) isNewPage = false;
      content.push(...parts);
    };
    for (const block of blocks) {
      if (block.kind === "page-break") {
        add(kept);
        kept = [];
        isNewPage = content.length > 0;
        continue;
      }
      const [first, ...rest] = this.#write(block);
      if (!first) continue;
      if (block.kind === "heading") kept.push(first);
      else if (kept.length > 0 && isShort(block)) {
        add([{ stack: [...kept, first], unbreakable: true }]);
        kept = [];
      } else {
        add(kept.length > 0 ? withRoomBelow(kept, first) : [first]);
        kept = [];
      }
      add(rest);
    }
    add(kept);
    return content;
  }

  /** Footnotes stand at the end of the document, because a page of pdfmake has no foot of its own. */
  footnotes(notes: readonly Run[][]): Content[] {
    if (notes.length === 0) return [];
    return [
      {
        canvas: [{ type: "line", x1: 0, y1: 0, x2: 120, y2: 0, lineWidth: 0.75, lineColor: hex(palette.line) }],
        margin: [0, 18, 0, 6],
      },
      ...notes.map(
        (runs, index): Content => ({
          columns: [
            { width: 16, text: this.#fonts.plain(`${index + 1}.`), id: noteId(index + 1) } as Column,
            { width: "*", text: this.#runs(runs, 8.5) },
          ],
          columnGap: 3,
          fontSize: 8.5,
          color: hex(palette.quiet),
          margin: [0, 0, 0, 3],
        }),
      ),
    ];
  }

  #write(block: Exclude<Block, { kind: "page-break" }>): Content[] {
    switch (block.kind) {
      case "heading":
        return [
          {
            text: this.#runs(block.runs, sizes[block.level - 1]),
            ...sideOf(block.runs),
            bold: true,
            fontSize: sizes[block.level - 1] ?? textSize,
            color: hex(palette.heading),
            lineHeight: 1.15,
            margin: [0, block.level === 1 ? 16 : 12, 0, 6],
            tocItem: block.level <= maxContentsDepth,
            tocMargin: [(block.level - 1) * 14, 0, 0, 4],
            outline: true,
            outlineText: headingText(block.runs),
            // The types know entries of the contents only inside of a text.
          } as Content,
        ];
      case "paragraph":
        return [block.isQuote ? this.#quote(block.runs) : { text: this.#runs(block.runs), ...sideOf(block.runs), margin: [0, 0, 0, 7] }];
      case "list":
        return this.#list(block);
      case "table":
        return fittingTables(block, this.#width).map((table) =>
          pdfTable(table, this.#width, (runs, fontSize, width) => this.#runs(runs, fontSize, width)),
        );
      case "code":
        return [this.#code(block.text)];
      case "image":
        return [this.#image(block)];
      case "formula":
        return [{ text: this.#runs([block.run]), alignment: "center", margin: [0, 4, 0, 10] }];
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
    return items.map((item, index) => {
      const mark = {
        width: item.ordered ? 8 + 6.5 * Math.max(2, String(item.number).length) : 12,
        text: this.#fonts.plain(item.ordered ? `${item.number}.` : (bullets[item.level % 3] ?? "\u2022")),
      };
      const side = sideOf(item.runs);
      const text = { width: "*", text: this.#runs(item.runs), ...side };
      const indent = 8 + Math.min(8, item.level) * 16;
      const isRight = side.alignment === "right";
      return {
        columns: isRight ? [text, { ...mark, ...side }] : [mark, text],
        columnGap: 3,
        margin: [isRight ? 0 : indent, 0, isRight ? indent : 0, index === items.length - 1 ? 8 : 3],
      };
    });
  }

  #quote(pieces: Run[]): Content {
    return {
      margin: [0, 2, 0, 9],
      color: hex(palette.quiet),
      table: {
        widths: [this.#width - quotePadding - ruleWidth],
        body: [[{ text: this.#runs(pieces, textSize, this.#width - quotePadding - ruleWidth), ...sideOf(pieces) }]],
      },
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
        body: [
          [
            {
              text: this.#selectable(this.#fonts.split(text, { mono: true })),
              fontSize: 8.5,
              preserveLeadingSpaces: true,
              lineHeight: 1.2,
            },
          ],
        ],
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
    const caption = captionOf({ address, alternative });
    const { width } = fitted(picture, { width: this.#width / pointsPerPixel, height: 600 / pointsPerPixel });
    const data = `data:image/${picture.type === "jpg" ? "jpeg" : "png"};base64,${Buffer.from(picture.bytes).toString("base64")}`;
    const image: Content = { image: data, width: width * pointsPerPixel, alignment: "center", margin: [0, 6, 0, caption ? 4 : 10] };
    if (!caption) return image;
    const below: Content = {
      text: this.#selectable(this.#fonts.split(caption, { italic: true })),
      fontSize: 9,
      color: hex(palette.quiet),
      alignment: "center",
      margin: [0, 0, 0, 12],
    };
    return { stack: [image, below], unbreakable: true };
  }

  #runs(pieces: readonly Run[], fontSize = textSize, width = this.#width): PdfText[] {
    const direction = sideOf(pieces).alignment ? { isRightToLeft: true } : {};
    return pieces.flatMap((run) => {
      const look = {
        ...direction,
        ...(run.code ? { background: hex(palette.codeFill) } : {}),
        ...(run.mark ? { background: hex(palette.markFill) } : {}),
        ...(run.strike ? { decoration: "lineThrough" as const } : {}),
        ...(run.script === "super" ? { sup: true } : run.script === "sub" ? { sub: true } : {}),
        ...(run.link ? { link: run.link, color: hex(palette.accent), decoration: "underline" as const } : {}),
        ...(run.note ? { sup: true, linkToDestination: noteId(run.note), color: hex(palette.accent) } : {}),
      };
      const drawing = run.formula && this.#formulas.get(run.formula);
      const style = {
        mono: run.code === true || (run.formula !== undefined && !drawing),
        bold: run.bold === true,
        italic: run.italic === true,
      };
      const split = drawing
        ? [formulaPiece(run.text, drawing, width / fontSize)]
        : splitByDirection(run.text).flatMap((part) => this.#fonts.split(part, style));
      return this.#selectable(split).map((piece) => ({ ...piece, ...look }));
    });
  }

  /** Adds the text behind a drawing, which a reader can select. */
  #selectable(pieces: readonly FontPiece[]): PdfText[] {
    return pieces.map((piece) => (piece.drawn ? { ...piece, hidden: this.#fonts.known(piece.drawn) } : piece));
  }
}

const noteId = (note: number): string => `note-${note}`;

/** A letter stands in for the formula, so that signs beside it stay on its line. */
function formulaPiece(text: string, { svg, width, ascent, descent }: Drawing, widest: number): FontPiece {
  const scale = Math.min(1, widest / width);
  return {
    text: "x",
    font: "Latin",
    drawn: text,
    drawing: { svg, width: width * scale, ascent: ascent * scale, descent: descent * scale },
  };
}

/** Keeps room for the first lines of a block on the page of its headings. The block then begins in that room. */
function withRoomBelow(headings: readonly Content[], block: Content): Content[] {
  const room: Content = { canvas: [], margin: [0, 0, 0, keptHeight] };
  return [
    { stack: [...headings, room], unbreakable: true },
    { stack: [block], margin: [0, -keptHeight, 0, 0] },
  ];
}

/** Blocks that fit the page of their heading whole. Of a list, this is the first item. */
function isShort(block: Block): boolean {
  switch (block.kind) {
    case "paragraph":
      return block.runs.reduce((sum, { text }) => sum + text.length, 0) <= keptChars;
    case "table":
      return block.rows.length <= keptRows;
    case "code":
      return block.text.split("\n").length <= 2 * keptRows && block.text.length <= keptChars;
    default:
      return true;
  }
}
