import { createRequire } from "node:module";
import type { Drawing } from "./drawing.ts";
import type { FontPiece } from "./pdf-fonts.ts";
import { orderLine, type PlacedWord } from "./right-to-left.ts";

/** A piece of text with its drawing: `drawn` is the text behind the drawing, which a reader of the PDF can select and search. */
export type DrawnText = { drawing?: Drawing; drawn?: string; hidden?: readonly FontPiece[] };

type Font = { ascender: number; lineHeight: (size: number) => number; widthOfString: (text: string, size: number) => number };
type Inline = DrawnText & PlacedWord & { font: Font; fontSize: number; height: number };
type Line = { inlines: Inline[]; getAscenderHeight: () => number };
type Document = {
  _font: Font;
  save: () => void;
  restore: () => void;
  addContent: (operators: string) => void;
  fontSize: (size: number) => void;
  text: (text: string, x: number, y: number, options: object) => void;
  provideFont: (family: string, bold: boolean, italics: boolean) => Font;
  getFontFile: (family: string, bold: boolean, italics: boolean) => string | null;
  markContent: (tag: string, options: object) => void;
  endMarkedContent: () => void;
};
type Measuring = { measure: (inlines: Inline[], styles: unknown) => Inline[] };
type Rendering = { pdfDocument: Document; renderLine: (line: Line, x: number, y: number) => void };
type Class<T> = { default: { prototype: T } };

const load = createRequire(import.meta.url);
const { prototype: measuring } = (load("pdfmake/js/TextInlines.js") as Class<Measuring>).default;
const { prototype: rendering } = (load("pdfmake/js/Renderer.js") as Class<Rendering>).default;
const drawSvg = (
  load("pdfmake/js/3rd-party/svg-to-pdfkit.js") as { default: (doc: Document, svg: string, x: number, y: number, options: object) => void }
).default;

/** Space below the base line that a font leaves, in parts of the font size. */
const leading = 0.12;

/**
 * Lets pdfmake set drawings inside of a line: it has pictures only between paragraphs. A piece with a drawing is measured
 * as the drawing, and drawn in the place of its text. Lines get the order of scripts that run from right to left, too.
 */
export function allowDrawings(): void {
  measuring.measure = measure;
  rendering.renderLine = renderLine;
}

const { measure: measureText } = measuring;
const { renderLine: renderText } = rendering;

function measure(this: Measuring, inlines: Inline[], styles: unknown): Inline[] {
  const measured = measureText.call(this, inlines, styles);
  for (const inline of measured) {
    const { drawing, font, fontSize } = inline;
    if (!drawing) continue;
    const textAscent = (font.ascender / 1_000) * fontSize;
    const ascent = Math.max(textAscent, (drawing.ascent + leading) * fontSize);
    const below = Math.max(inline.height - textAscent, (drawing.descent + leading) * fontSize);
    inline.width = drawing.width * fontSize;
    inline.height = ascent + below;
    inline.font = Object.create(font, { ascender: { value: (ascent / fontSize) * 1_000 } }) as Font;
  }
  return measured;
}

function renderLine(this: Rendering, line: Line, x: number, y: number): void {
  const drawn = line.inlines.filter(({ drawing }) => drawing);
  orderLine(line.inlines);
  for (const inline of drawn) inline.text = "";
  renderText.call(this, line, x, y);
  const base = (y || 0) + line.getAscenderHeight();
  for (const inline of drawn) draw(this.pdfDocument, inline, (x || 0) + inline.x, base);
}

function draw(pdf: Document, { drawing, drawn = "", hidden = [], fontSize, width }: Inline, x: number, base: number): void {
  if (!drawing) return;
  const size = { width, height: (drawing.ascent + drawing.descent) * fontSize };
  // The library writes only String objects as texts.
  pdf.markContent("Span", { actual: new String(drawn) });
  pdf.save();
  drawSvg(pdf, drawing.svg, x, base - drawing.ascent * fontSize, {
    ...size,
    assumePt: true,
    warningCallback: () => undefined,
    // Signs that the fonts of mathematics lack, such as Chinese ones.
    fontCallback: (_family: string, bold: boolean) => pdf.getFontFile("Chinese", bold, false),
  });
  pdf.restore();
  hide(pdf, hidden, x, base, width);
  pdf.endMarkedContent();
}

/** Writes text that is not painted, as wide as the drawing that shows it. */
function hide(pdf: Document, pieces: readonly FontPiece[], x: number, base: number, width: number): void {
  const fonts = pieces.map(({ text, font }) => ({ text, font: pdf.provideFont(font, false, false) }));
  const natural = fonts.reduce((sum, { text, font }) => sum + font.widthOfString(text, 1), 0);
  if (natural === 0) return;
  const size = Math.min(10, width / natural);
  pdf.save();
  pdf.addContent("3 Tr");
  let at = x;
  for (const { text, font } of fonts) {
    pdf._font = font;
    pdf.fontSize(size);
    pdf.text(text, at, base - (font.ascender / 1_000) * size, { lineBreak: false });
    at += font.widthOfString(text, size);
  }
  pdf.restore();
}
