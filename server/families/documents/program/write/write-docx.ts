import {
  AlignmentType,
  Document,
  Footer,
  Header,
  type IRunOptions,
  LevelFormat,
  LineRuleType,
  Packer,
  PageBreak,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  TableOfContents,
  TextRun,
} from "docx";
import { estimatePageNumbersWith } from "docx/layout";
import type { PageSize, Rendered, RenderTask } from "../document-task.ts";
import { type DocumentTree, titleOf } from "./document-tree.ts";
import { DocxBlocks, font } from "./docx-blocks.ts";
import type { Pictures } from "./images.ts";
import { type OrientedBlocks, orientBlocks } from "./page-orientation.ts";
import { palette } from "./palette.ts";

const pages: Record<PageSize, { width: number; height: number }> = {
  A4: { width: 11_906, height: 16_838 },
  LETTER: { width: 12_240, height: 15_840 },
};
const margin = 1_440;
const margins = { top: margin, bottom: margin, left: margin, right: margin };
const sizes = [36, 30, 26, 24, 22, 22];
const bullets = ["•", "◦", "▪"];

/** Writes a Word document with real headings, lists and tables, page numbers and the title in the header. */
export async function writeDocx(tree: DocumentTree, pictures: Pictures, task: RenderTask): Promise<Rendered> {
  const page = pages[task.pageSize];
  const starts = new Set(tree.blocks.flatMap((block) => (block.kind === "list" ? block.items.map(startOf) : [])));
  const found = titleOf(tree);
  const title = found?.title ?? "";
  const hasCover = task.cover && found !== null;
  const blocks = hasCover && found.isHeading ? tree.blocks.slice(1) : tree.blocks;
  const widths = { portrait: page.width - 2 * margin, landscape: page.height - 2 * margin };
  const writer = new DocxBlocks(pictures, widths.portrait);
  const opening = [
    ...(hasCover ? coverPage(tree, title) : titleLines(tree)),
    ...(task.contents ? contents(task.contents === true ? "Contents" : task.contents) : []),
  ];
  const oriented = orientBlocks(blocks, (table) => writer.isTooWide(table));
  const opensUpright = opening.length > 0 && oriented[0]?.orientation === "landscape";
  const groups: OrientedBlocks[] = opensUpright ? [{ orientation: "portrait", blocks: [] }, ...oriented] : oriented;
  const headers = { default: new Header({ children: [edgeLine([new TextRun({ text: title, ...edge })])] }) };
  const pageNumbers = new TextRun({ children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES], ...edge });
  const footers = { default: new Footer({ children: [edgeLine([pageNumbers])] }) };
  const document = new Document({
    title,
    creator: tree.front.author ?? "",
    lastModifiedBy: tree.front.author ?? "",
    // Pages of the contents are written with the file, so that Word need not ask to update them.
    ...(task.contents ? { pageNumbers: estimatePageNumbersWith({ guess: true }) } : {}),
    footnotes: Object.fromEntries(tree.footnotes.map((note, index) => [index + 1, { children: [writer.footnote(note)] }])),
    styles: {
      paragraphStyles: [
        {
          id: "Caption",
          name: "caption",
          basedOn: "Normal",
          quickFormat: true,
          run: { size: 18, italics: true, color: palette.quiet },
          paragraph: { spacing: { after: 200 } },
        },
      ],
      default: {
        footnoteText: { run: { font, size: 18, color: palette.quiet } },
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
    sections: groups.map(({ orientation, blocks }, index) => ({
      properties: { page: { size: { ...page, orientation }, margin: margins }, titlePage: hasCover && index === 0 },
      // A section without a header of its own takes that of the section before.
      ...(index === 0 ? { headers, footers } : {}),
      children: [...(index === 0 ? opening : []), ...writer.all(blocks, widths[orientation])],
    })),
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

/** The front matter above the text. */
function titleLines({ front }: DocumentTree): Paragraph[] {
  if (!front.title) return [];
  const small = [front.author, front.date].filter((text) => text).join(" · ");
  return [
    line(front.title, { bold: true, size: 52, color: palette.heading }, { after: 80 }),
    ...(front.subtitle ? [line(front.subtitle, { size: 28, color: palette.quiet })] : []),
    ...(small ? [line(small, { size: 20, color: palette.quiet }, { after: 360 })] : []),
  ];
}

/** A page with the title alone. */
function coverPage({ front }: DocumentTree, title: string): Paragraph[] {
  const small = [front.author, front.date].filter((text) => text).join(" · ");
  return [
    line(title, { bold: true, size: 60, color: palette.heading }, { before: 4_200, after: 160 }),
    ...(front.subtitle ? [line(front.subtitle, { size: 30, color: palette.quiet }, { after: 240 })] : []),
    ...(small ? [line(small, { size: 21, color: palette.quiet })] : []),
    newPage(),
  ];
}

const newPage = () => new Paragraph({ children: [new PageBreak()] });

const line = (text: string, look: IRunOptions, spacing: { before?: number; after?: number } = {}): Paragraph =>
  new Paragraph({ children: [new TextRun({ ...look, text })], spacing });

/** A page with the headings of the first three levels, which Word can update. */
const contents = (title: string): (Paragraph | TableOfContents)[] => [
  line(title, { bold: true, size: 36, color: palette.heading }, { after: 200 }),
  new TableOfContents(title, { hyperlink: true, headingStyleRange: "1-3" }),
  newPage(),
];
