import PptxGenJs from "pptxgenjs";
import type { AspectRatio, Rendered } from "../document-task.ts";
import { type Block, type DocumentTree, formulaAddress, type Run, titleOf } from "./document-tree.ts";
import { drawSvg, fitted, type Picture, type Pictures } from "./images.ts";
import { palette } from "./palette.ts";
import { withSingleProperties } from "./single-properties.ts";
import { captionHeight, codeSize, type Part, type PlacedPart, placeParts, type Slide, slidesOf, slideTable } from "./slides.ts";
import { tableColumns } from "./table-columns.ts";

// The package is CommonJS: its class is the default export of the default export.
const Presentation = ((PptxGenJs as unknown as { default?: typeof PptxGenJs }).default ?? PptxGenJs) as typeof PptxGenJs;
type Pptx = InstanceType<typeof PptxGenJs>;
type SlideOf = ReturnType<Pptx["addSlide"]>;
type TextPiece = { text: string; options: Record<string, unknown> };

const sizes: Record<AspectRatio, { width: number; height: number }> = {
  "16:9": { width: 13.333, height: 7.5 },
  "4:3": { width: 10, height: 7.5 },
};
const sideMargin = 0.7;
const bodyTop = 1.45;
const bodyBottom = 6.95;
const pixelsPerInch = 96;
const pointsPerInch = 72;
const font = "Calibri";
const mono = "Consolas";
const withTitle = "Title and text";
const coverSlide = "Cover";

/** Writes a presentation: rules split slides, the first heading is the title, comments are speaker notes. */
export async function writePptx(tree: DocumentTree, given: Pictures, aspectRatio: AspectRatio): Promise<Rendered> {
  const { blocks, pictures } = await withDrawnFormulas(tree.blocks, given);
  const size = sizes[aspectRatio];
  const pptx = new Presentation();
  pptx.defineLayout({ name: "page", width: size.width, height: size.height });
  pptx.layout = "page";
  pptx.title = titleOf(tree)?.title ?? "";
  pptx.author = tree.front.author ?? "";
  pptx.theme = { headFontFace: font, bodyFontFace: font };
  defineMasters(pptx, size);
  if (tree.front.title) addCover(pptx, tree, size);
  const body = { x: sideMargin, y: bodyTop, width: size.width - 2 * sideMargin, height: bodyBottom - bodyTop };
  let count = tree.front.title ? 1 : 0;
  for (const slide of slidesOf(blocks, tree.footnotes)) {
    const pages = placeParts(slide.parts, { width: body.width, height: body.height }, pictures);
    pages.forEach((page, index) => {
      const isLast = index === pages.length - 1;
      addSlide(pptx, slide, page, { body, size, pictures, isContinued: index > 0, notes: isLast ? slide.notes : [] });
      count += 1;
    });
  }
  const bytes = (await pptx.write({ outputType: "nodebuffer" })) as Buffer;
  return { bytes: withSingleProperties(bytes), extent: `${count} ${count === 1 ? "slide" : "slides"}`, notes: [] };
}

/** Pixels of the font of a formula that stands alone: 22 points. */
const formulaPixels = 29;

/** Formulas of their own line become pictures, because the library writes no mathematics. */
async function withDrawnFormulas(blocks: readonly Block[], given: Pictures): Promise<{ blocks: Block[]; pictures: Pictures }> {
  const drawn = new Map<string, Picture>();
  const written: Block[] = [];
  for (const block of blocks) {
    const formula = block.kind === "formula" ? block.run.formula : undefined;
    if (block.kind !== "formula" || !formula?.root) {
      written.push(block);
      continue;
    }
    const drawing = await (await import("./math/typeset.ts")).drawFormula(formula, `#${palette.ink}`);
    const size = `width="${drawing.width * formulaPixels}" height="${(drawing.ascent + drawing.descent) * formulaPixels}"`;
    const address = `${formulaAddress}${drawn.size}`;
    drawn.set(address, drawSvg(drawing.svg.replace("<svg ", `<svg ${size} `)));
    written.push({ kind: "image", address, alternative: block.run.text });
  }
  return { blocks: written, pictures: { notes: given.notes, get: (address) => drawn.get(address) ?? given.get(address) } };
}

const titleLook = {
  fontFace: font,
  fontSize: 30,
  bold: true,
  color: palette.heading,
  align: "left" as const,
  valign: "middle" as const,
  margin: 0,
};
const coverLook = { ...titleLook, fontSize: 40 };

/** Layouts with a placeholder for the title, so that outlines and screen readers find it. */
function defineMasters(pptx: Pptx, { width, height }: Size): void {
  const frame = { x: sideMargin, w: width - 2 * sideMargin };
  const places = {
    [withTitle]: { ...frame, ...titleLook, y: 0.45, h: 0.8 },
    [coverSlide]: { ...frame, ...coverLook, y: height * 0.37, h: 1.3 },
  };
  for (const [title, options] of Object.entries(places)) {
    pptx.defineSlideMaster({ title, objects: [{ placeholder: { options: { name: "title", type: "title", ...options }, text: "" } }] });
  }
}

type Size = { width: number; height: number };
type Layout = { body: Size & { x: number; y: number }; size: Size; pictures: Pictures; isContinued: boolean; notes: readonly string[] };

function addCover(pptx: Pptx, { front }: DocumentTree, { width, height }: Size): void {
  const slide = pptx.addSlide({ masterName: coverSlide });
  const text = { x: sideMargin, w: width - 2 * sideMargin, fontFace: font, margin: 0 };
  slide.addShape("rect", { x: sideMargin, y: height * 0.34, w: 0.9, h: 0.07, fill: { color: palette.accent } });
  slide.addText(front.title ?? "", { placeholder: "title", ...coverLook, fit: "shrink" });
  if (front.subtitle)
    slide.addText(front.subtitle, { ...text, y: height * 0.37 + 1.35, h: 0.6, fontSize: 22, color: palette.quiet, valign: "top" });
  const small = [front.author, front.date].filter((word) => word).join("  ·  ");
  if (small) slide.addText(small, { ...text, y: height * 0.37 + 2, h: 0.4, fontSize: 14, color: palette.quiet });
}

function addSlide(pptx: Pptx, { title }: Slide, page: readonly PlacedPart[], { body, size, pictures, isContinued, notes }: Layout): void {
  const slide = pptx.addSlide(title.length > 0 ? { masterName: withTitle } : undefined);
  if (title.length > 0) {
    const continued: TextPiece[] = isContinued ? [{ text: " (continued)", options: { color: palette.quiet, bold: false } }] : [];
    slide.addText([...pieces(title, { bold: true }), ...continued], { placeholder: "title", ...titleLook, fit: "shrink" });
  }
  slide.slideNumber = {
    x: size.width - 1.2,
    y: size.height - 0.45,
    w: 0.6,
    h: 0.3,
    fontFace: font,
    fontSize: 11,
    color: palette.quiet,
    align: "right",
  };
  for (const { part, y, height, fontSize } of page) {
    const box = { x: body.x, y: body.y + y, w: body.width, h: height };
    if (part.kind === "table") addTable(slide, part, box, fontSize);
    else if (part.kind === "image") addImage(slide, part, box, pictures);
    else addParagraphs(slide, part, box, fontSize);
  }
  if (notes.length > 0) slide.addNotes(notes.join("\n\n"));
}

type Box = { x: number; y: number; w: number; h: number };

function addParagraphs(slide: SlideOf, part: Exclude<Part, { kind: "table" | "image" }>, box: Box, fontSize: number): void {
  const base = { ...box, fontFace: font, fontSize, color: palette.ink, valign: "top" as const, margin: 0, paraSpaceAfter: fontSize * 0.3 };
  if (part.kind === "code") {
    slide.addText(part.text, {
      ...base,
      fontFace: mono,
      fontSize: fontSize * codeSize,
      fill: { color: palette.codeFill },
      margin: 6,
      paraSpaceAfter: 0,
    });
    return;
  }
  const { runs } = part;
  if (part.kind === "item") {
    const level = Math.min(8, part.item.level);
    const bullet = part.item.ordered ? { type: "number" as const, numberStartAt: part.item.number } : true;
    const indent = 0.3 * level;
    slide.addText(pieces(runs, { bullet, breakLine: false }), { ...base, x: box.x + indent, w: box.w - indent });
    return;
  }
  const look =
    part.kind === "footnote"
      ? { color: palette.quiet }
      : part.kind === "heading"
        ? { bold: true, color: palette.heading }
        : part.kind === "quote"
          ? { italic: true, color: palette.quiet }
          : {};
  slide.addText(pieces(runs, look), base);
}

function addTable(slide: SlideOf, part: Extract<Part, { kind: "table" }>, box: Box, fontSize: number): void {
  const { table, rows } = part;
  const { widths, fontSize: size } = tableColumns(table, { width: box.w, fontSize: fontSize / pointsPerInch, ...slideTable });
  const cells = (row: readonly Run[][], isHeader: boolean) =>
    widths.map((_, column) => ({
      text: pieces(row[column] ?? [], isHeader ? { bold: true } : {}),
      options: { align: table.align[column] ?? "left", ...(isHeader ? { fill: { color: palette.headerFill } } : {}) },
    }));
  slide.addTable([cells(table.header, true), ...rows.map((row) => cells(row, false))] as never, {
    x: box.x,
    y: box.y,
    w: box.w,
    colW: widths,
    fontFace: font,
    fontSize: Math.floor(size * pointsPerInch * 2) / 2,
    color: palette.ink,
    border: { type: "solid", pt: 0.75, color: palette.line },
    margin: [0.04, 0.09, 0.04, 0.09],
    valign: "middle",
  });
}

function addImage(slide: SlideOf, part: Extract<Part, { kind: "image" }>, box: Box, pictures: Pictures): void {
  const picture = pictures.get(part.address);
  if (!picture) return;
  const below = part.caption === "" ? 0 : captionHeight;
  const { width, height } = fitted(picture, { width: box.w * pixelsPerInch, height: (box.h - below) * pixelsPerInch });
  const [w, h] = [width / pixelsPerInch, height / pixelsPerInch];
  const type = picture.type === "jpg" ? "jpeg" : picture.type;
  slide.addImage({
    data: `data:image/${type};base64,${Buffer.from(picture.bytes).toString("base64")}`,
    x: box.x + (box.w - w) / 2,
    y: box.y,
    w,
    h,
    altText: part.alternative || "Image",
  });
  if (below === 0) return;
  const look = { fontFace: font, fontSize: 12, italic: true, color: palette.quiet, align: "center" as const, margin: 0 };
  slide.addText(part.caption, { ...look, x: box.x, y: box.y + h + 0.04, w: box.w, h: below - 0.04 });
}

function pieces(runs: readonly Run[], look: Record<string, unknown>): TextPiece[] {
  const all = runs.flatMap(({ text, bold, italic, code, strike, mark, script, link, formula, note }) =>
    text.split("\n").map(
      (line, index): TextPiece => ({
        text: line,
        options: {
          ...look,
          ...(bold ? { bold } : {}),
          ...(italic ? { italic } : {}),
          ...(strike ? { strike: "sngStrike" } : {}),
          ...(mark ? { highlight: palette.markFill } : {}),
          ...(script === "super" || note ? { superscript: true } : script === "sub" ? { subscript: true } : {}),
          ...(code || (formula && !formula.root) ? { fontFace: mono } : formula ? { fontFace: "Cambria Math" } : {}),
          ...(link ? { hyperlink: { url: link }, color: palette.accent } : {}),
          ...(index > 0 ? { softBreakBefore: true } : {}),
        },
      }),
    ),
  );
  // Only the first piece of a paragraph carries its bullet; the others would begin paragraphs of their own.
  return all.map((piece, index) => {
    const { bullet, ...rest } = piece.options;
    return index === 0 || bullet === undefined ? piece : { text: piece.text, options: rest };
  });
}
