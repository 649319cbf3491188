import {
  AlignmentType,
  BorderStyle,
  Table as DocxTable,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  ImportedXmlComponent,
  type IRunOptions,
  LineRuleType,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import { type Block, captionOf, type Run, type Table } from "./document-tree.ts";
import { fitted, type Pictures } from "./images.ts";
import { officeMath } from "./math/office-math.ts";
import { readableTableSize } from "./page-orientation.ts";
import { palette } from "./palette.ts";
import { type Columns, splitColumns, tableColumns } from "./table-columns.ts";

const twipsPerPixel = 15;
const twipsPerPoint = 20;
export const font = { ascii: "Calibri", hAnsi: "Calibri", cs: "Calibri", eastAsia: "Microsoft YaHei" };
const mono = { ascii: "Consolas", hAnsi: "Consolas", cs: "Consolas", eastAsia: "Microsoft YaHei" };
const levels = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];
const cellPadding = 100;
const narrowPadding = 50;
const paddingOf = ({ header }: Table): number => (header.length > 8 ? narrowPadding : cellPadding);
const smallestTableSize = 6;
/** A machine without Calibri takes a wider font, and a number must not be broken there either. */
const substituteFactor = 1.15;

/** Writes the blocks of a document as paragraphs and tables of Word. */
export class DocxBlocks {
  readonly notes: string[] = [];
  readonly #pictures: Pictures;
  #width: number;
  #lists = 0;
  #isNewPage = false;
  readonly #marked = new Set<number>();

  constructor(pictures: Pictures, width: number) {
    this.#pictures = pictures;
    this.#width = width;
  }

  /** Writes blocks for pages with a text of this width, in twips. */
  all(blocks: readonly Block[], width: number): (Paragraph | DocxTable)[] {
    this.#width = width;
    return blocks.flatMap((block) => this.#writeOnPage(block));
  }

  isTooWide(table: Table): boolean {
    return this.#columns(table).fontSize < readableTableSize;
  }

  #writeOnPage(block: Block): (Paragraph | DocxTable)[] {
    if (block.kind === "page-break") {
      this.#isNewPage = true;
      return [];
    }
    const isNewPage = this.#isNewPage && block.kind !== "comment";
    if (isNewPage) this.#isNewPage = false;
    if (isNewPage && block.kind === "heading") return [this.#heading(block, true)];
    const written = this.#write(block);
    // A paragraph of no height carries the break, because a table has none of its own.
    return isNewPage
      ? [
          new Paragraph({ pageBreakBefore: true, spacing: { before: 0, after: 0, line: 20, lineRule: LineRuleType.EXACT }, children: [] }),
          ...written,
        ]
      : written;
  }

  #write(block: Exclude<Block, { kind: "page-break" }>): (Paragraph | DocxTable)[] {
    switch (block.kind) {
      case "heading":
        return [this.#heading(block, false)];
      case "paragraph":
        return [
          new Paragraph({
            children: this.#runs(block.runs, block.isQuote ? { color: palette.quiet } : {}),
            ...(block.isQuote ? quote : {}),
          }),
        ];
      case "list":
        return this.#list(block);
      case "table":
        return this.#fittingTables(block).flatMap((table) => [this.#table(table), new Paragraph({ children: [], spacing: { after: 60 } })]);
      case "code":
        return codeLines(block.text);
      case "image":
        return this.#image(block);
      case "formula":
        return [new Paragraph({ alignment: AlignmentType.CENTER, children: this.#runs([block.run]) })];
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
      return new Paragraph({
        numbering: { reference, level, instance: this.#lists },
        spacing: { after: 60 },
        children: this.#runs(item.runs),
      });
    });
  }

  #fittingTables(table: Table): Table[] {
    return splitColumns(table, (part) => this.#columns(part, 0).fontSize >= smallestTableSize);
  }

  #columns(table: Table, smallest = smallestTableSize): Columns {
    return tableColumns(table, {
      width: this.#width / twipsPerPoint,
      fontSize: 10,
      smallest,
      padding: (2 * paddingOf(table)) / twipsPerPoint,
      factor: substituteFactor,
    });
  }

  #table(table: Table): DocxTable {
    const padding = paddingOf(table);
    const { widths: points, fontSize } = this.#columns(table);
    const widths = points.map((width) => Math.floor(width * twipsPerPoint));
    const border = { style: BorderStyle.SINGLE, size: 4, color: palette.line };
    const row = (cells: Run[][], isHeader: boolean) =>
      new TableRow({
        tableHeader: isHeader,
        cantSplit: true,
        children: widths.map(
          (size, column) =>
            new TableCell({
              width: { size, type: WidthType.DXA },
              margins: { top: 60, bottom: 60, left: padding, right: padding },
              ...(isHeader ? { shading: { type: ShadingType.CLEAR, fill: palette.headerFill, color: "auto" } } : {}),
              children: [
                new Paragraph({
                  alignment:
                    AlignmentType[table.align[column] === "right" ? "RIGHT" : table.align[column] === "center" ? "CENTER" : "LEFT"],
                  spacing: { after: 0, line: 252, lineRule: LineRuleType.AUTO },
                  children: this.#runs(cells[column] ?? [], { size: Math.floor(2 * fontSize), ...(isHeader ? { bold: true } : {}) }),
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

  #heading({ level, runs: pieces }: Extract<Block, { kind: "heading" }>, pageBreakBefore: boolean): Paragraph {
    return new Paragraph({ heading: levels[level - 1] ?? HeadingLevel.HEADING_6, pageBreakBefore, children: this.#runs(pieces) });
  }

  #image({ address, alternative }: Extract<Block, { kind: "image" }>): Paragraph[] {
    const picture = this.#pictures.get(address);
    if (!picture) return [new Paragraph({ children: [new TextRun({ text: `[${alternative || address}]`, color: palette.quiet })] })];
    const transformation = fitted(picture, { width: this.#width / twipsPerPixel, height: 760 });
    const description = { name: alternative || "Image", description: alternative, title: alternative };
    const { type, bytes } = picture;
    const caption = captionOf({ address, alternative });
    const image = new Paragraph({
      alignment: AlignmentType.CENTER,
      keepNext: caption !== "",
      spacing: { before: 120, after: caption === "" ? 160 : 60, line: 240, lineRule: LineRuleType.AUTO },
      children: [new ImageRun({ type, data: bytes, transformation, altText: description })],
    });
    if (caption === "") return [image];
    return [image, new Paragraph({ style: "Caption", alignment: AlignmentType.CENTER, children: [new TextRun(caption)] })];
  }
  footnote(note: readonly Run[]): Paragraph {
    // Word refuses a mark inside of a footnote.
    const text = note.map((run): Run => (run.note ? { text: run.text, script: "super" } : run));
    return new Paragraph({ children: [new TextRun(" "), ...this.#runs(text)] });
  }

  #runs(pieces: readonly Run[], base: IRunOptions = {}): ParagraphChild[] {
    return pieces.flatMap((run): ParagraphChild[] => {
      const { text, bold, italic, code, strike, mark, script, link, formula, note } = run;
      if (note && !this.#marked.has(note)) {
        this.#marked.add(note);
        return [new FootnoteReferenceRun(note)];
      }
      if (formula?.root) return [mathOf(officeMath(formula.root, formula.isDisplay))];
      const format: IRunOptions = {
        ...base,
        ...(bold ? { bold } : {}),
        ...(italic ? { italics: true } : {}),
        ...(strike ? { strike } : {}),
        // Word knows one mark of a footnote; the others repeat its number.
        ...(script === "super" || note ? { superScript: true } : script === "sub" ? { subScript: true } : {}),
        ...(mark ? { shading: { type: ShadingType.CLEAR, fill: palette.markFill, color: "auto" } } : {}),
        ...(code || formula ? { font: mono, shading: { type: ShadingType.CLEAR, fill: palette.codeFill, color: "auto" } } : {}),
        ...(link ? { color: palette.accent, underline: {} } : {}),
      };
      const parts = text.split("\n").map((line, index) => new TextRun({ ...format, text: line, ...(index > 0 ? { break: 1 } : {}) }));
      return link ? [new ExternalHyperlink({ link, children: parts })] : parts;
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

/** The library takes every element of XML as a part of a paragraph, but its types name only its own. */
const mathOf = (xml: string): ParagraphChild => ImportedXmlComponent.fromXmlString(xml) as unknown as ParagraphChild;
