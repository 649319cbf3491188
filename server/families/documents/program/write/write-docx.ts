import {
  AlignmentType,
  BorderStyle,
  Document,
  Table as DocxTable,
  ExternalHyperlink,
  Footer,
  Header,
  HeadingLevel,
  ImageRun,
  type IRunOptions,
  LevelFormat,
  LineRuleType,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import type { PageSize, Rendered } from "../document-task.ts";
import { type Block, type DocumentTree, type Run, type Table, titleOf } from "./document-tree.ts";
import { fitted, type Pictures } from "./images.ts";
import { palette } from "./palette.ts";
import { columnShares } from "./table-columns.ts";

const pages: Record<PageSize, { width: number; height: number }> = {
  A4: { width: 11_906, height: 16_838 },
  LETTER: { width: 12_240, height: 15_840 },
};
const margin = 1_440;
const twipsPerPixel = 15;
const font = { ascii: "Calibri", hAnsi: "Calibri", cs: "Calibri", eastAsia: "Microsoft YaHei" };
const mono = { ascii: "Consolas", hAnsi: "Consolas", cs: "Consolas", eastAsia: "Microsoft YaHei" };
const levels = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];
const sizes = [36, 30, 26, 24, 22, 22];
const bullets = ["•", "◦", "▪"];

/** Writes a Word document with real headings, lists and tables, page numbers and the title in the header. */
export async function writeDocx(tree: DocumentTree, pictures: Pictures, pageSize: PageSize): Promise<Rendered> {
  const page = pages[pageSize];
  const starts = new Set(tree.blocks.flatMap((block) => (block.kind === "list" ? block.items.map(startOf) : [])));
  const title = titleOf(tree)?.title ?? "";
  const writer = new BlockWriter(pictures, page.width - 2 * margin);
  const document = new Document({
    title,
    creator: tree.front.author ?? "",
    lastModifiedBy: tree.front.author ?? "",
    styles: {
      default: {
        document: {
          run: { font, size: 22, color: palette.ink },
          paragraph: { spacing: { after: 140, line: 276, lineRule: LineRuleType.AUTO } },
        },
        ...Object.fromEntries(
          sizes.map((size, index) => [
            `heading${index + 1}`,
            {
              run: { font, size, bold: true, color: palette.heading },
              paragraph: { spacing: { before: index === 0 ? 360 : 280, after: 120 }, keepNext: true },
            },
          ]),
        ),
      },
    },
    numbering: {
      config: [
        { reference: "bullets", levels: listLevels((level) => ({ format: LevelFormat.BULLET, text: bullets[level % 3] ?? "•" })) },
        ...[...starts].map((start) => ({
          reference: `ordered-${start}`,
          levels: listLevels((level) => ({ format: LevelFormat.DECIMAL, text: `%${level + 1}.`, start })),
        })),
      ],
    },
    sections: [
      {
        properties: { page: { size: page, margin: { top: margin, bottom: margin, left: margin, right: margin } } },
        headers: { default: new Header({ children: [edgeLine([new TextRun({ text: title, ...edge })])] }) },
        footers: {
          default: new Footer({
            children: [edgeLine([new TextRun({ children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES], ...edge })])],
          }),
        },
        children: [...cover(tree), ...tree.blocks.flatMap((block) => writer.write(block))],
      },
    ],
  });
  return { bytes: new Uint8Array(await Packer.toBuffer(document)), extent: `${tree.blocks.length} blocks`, notes: writer.notes };
}

const edge = { size: 18, color: palette.quiet };
const edgeLine = (children: ParagraphChild[]) => new Paragraph({ alignment: AlignmentType.RIGHT, children });
const startOf = (item: { ordered: boolean; number: number; level: number }): number => (item.ordered ? item.number : 1);

function listLevels(form: (level: number) => { format: (typeof LevelFormat)[keyof typeof LevelFormat]; text: string; start?: number }) {
  return Array.from({ length: 9 }, (_, level) => ({
    level,
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: 420 * (level + 1), hanging: 320 } } },
    ...form(level),
  }));
}

function cover({ front }: DocumentTree): Paragraph[] {
  if (!front.title) return [];
  const small = [front.author, front.date].filter((text) => text).join(" · ");
  return [
    new Paragraph({ children: [new TextRun({ text: front.title, bold: true, size: 52, color: palette.heading })], spacing: { after: 80 } }),
    ...(front.subtitle ? [new Paragraph({ children: [new TextRun({ text: front.subtitle, size: 28, color: palette.quiet })] })] : []),
    ...(small
      ? [new Paragraph({ children: [new TextRun({ text: small, size: 20, color: palette.quiet })], spacing: { after: 360 } })]
      : []),
  ];
}

class BlockWriter {
  readonly notes: string[] = [];
  readonly #pictures: Pictures;
  readonly #width: number;
  #lists = 0;

  constructor(pictures: Pictures, width: number) {
    this.#pictures = pictures;
    this.#width = width;
  }

  write(block: Block): (Paragraph | DocxTable)[] {
    switch (block.kind) {
      case "heading":
        return [new Paragraph({ heading: levels[block.level - 1] ?? HeadingLevel.HEADING_6, children: runs(block.runs) })];
      case "paragraph":
        return [
          new Paragraph({ children: runs(block.runs, block.isQuote ? { color: palette.quiet } : {}), ...(block.isQuote ? quote : {}) }),
        ];
      case "list":
        return this.#list(block);
      case "table":
        return [this.#table(block), new Paragraph({ children: [], spacing: { after: 60 } })];
      case "code":
        return codeLines(block.text);
      case "image":
        return [this.#image(block)];
      case "rule":
        return [new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: palette.line } }, children: [] })];
      case "comment":
        return [];
    }
  }

  #list({ items }: Extract<Block, { kind: "list" }>): Paragraph[] {
    this.#lists += 1;
    // A list's numbering begins at the number of its first item on that level.
    const begins: number[] = [];
    return items.map((item) => {
      const level = Math.min(8, item.level);
      begins.length = Math.min(begins.length, level + 1);
      begins[level] ??= item.number;
      const reference = item.ordered ? `ordered-${begins[level]}` : "bullets";
      return new Paragraph({ numbering: { reference, level, instance: this.#lists }, spacing: { after: 60 }, children: runs(item.runs) });
    });
  }

  #table(table: Table): DocxTable {
    const widths = columnShares(table).map((share) => Math.floor(share * this.#width));
    const border = { style: BorderStyle.SINGLE, size: 4, color: palette.line };
    const row = (cells: Run[][], isHeader: boolean) =>
      new TableRow({
        tableHeader: isHeader,
        cantSplit: true,
        children: widths.map(
          (size, column) =>
            new TableCell({
              width: { size, type: WidthType.DXA },
              margins: { top: 60, bottom: 60, left: 100, right: 100 },
              ...(isHeader ? { shading: { type: ShadingType.CLEAR, fill: palette.headerFill, color: "auto" } } : {}),
              children: [
                new Paragraph({
                  alignment:
                    AlignmentType[table.align[column] === "right" ? "RIGHT" : table.align[column] === "center" ? "CENTER" : "LEFT"],
                  spacing: { after: 0, line: 252, lineRule: LineRuleType.AUTO },
                  children: runs(cells[column] ?? [], { size: 20, ...(isHeader ? { bold: true } : {}) }),
                }),
              ],
            }),
        ),
      });
    return new DocxTable({
      width: { size: this.#width, type: WidthType.DXA },
      columnWidths: widths,
      borders: { top: border, bottom: border, left: border, right: border, insideHorizontal: border, insideVertical: border },
      rows: [row(table.header, true), ...table.rows.map((cells) => row(cells, false))],
    });
  }

  #image({ address, alternative }: Extract<Block, { kind: "image" }>): Paragraph {
    const picture = this.#pictures.get(address);
    if (!picture) return new Paragraph({ children: [new TextRun({ text: `[${alternative || address}]`, color: palette.quiet })] });
    const transformation = fitted(picture, { width: this.#width / twipsPerPixel, height: 800 });
    const description = { name: alternative || "Image", description: alternative, title: alternative };
    const { type, bytes } = picture;
    return new Paragraph({
      alignment: AlignmentType.CENTER,
      spacing: { before: 120, after: 160, line: 240, lineRule: LineRuleType.AUTO },
      children: [new ImageRun({ type, data: bytes, transformation, altText: description })],
    });
  }
}

const quote = { indent: { left: 360 }, border: { left: { style: BorderStyle.SINGLE, size: 18, color: palette.line, space: 12 } } };

/** A paragraph of code per line, because a long block must break between pages. */
function codeLines(text: string): Paragraph[] {
  const lines = text.split("\n");
  return lines.map(
    (line, index) =>
      new Paragraph({
        shading: { type: ShadingType.CLEAR, fill: palette.codeFill, color: "auto" },
        spacing: { after: index === lines.length - 1 ? 160 : 0, line: 252, lineRule: LineRuleType.AUTO },
        indent: { left: 120, right: 120 },
        children: [new TextRun({ text: line, font: mono, size: 18 })],
      }),
  );
}

function runs(pieces: readonly Run[], base: IRunOptions = {}): ParagraphChild[] {
  return pieces.flatMap(({ text, bold, italic, code, strike, link }): ParagraphChild[] => {
    const format: IRunOptions = {
      ...base,
      ...(bold ? { bold } : {}),
      ...(italic ? { italics: true } : {}),
      ...(strike ? { strike } : {}),
      ...(code ? { font: mono, shading: { type: ShadingType.CLEAR, fill: palette.codeFill, color: "auto" } } : {}),
      ...(link ? { color: palette.accent, underline: {} } : {}),
    };
    const parts = text.split("\n").map((line, index) => new TextRun({ ...format, text: line, ...(index > 0 ? { break: 1 } : {}) }));
    return link ? [new ExternalHyperlink({ link, children: parts })] : parts;
  });
}
