import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { TextItem } from "pdfjs-dist/types/src/display/api";
import type { LeftOut } from "../left-out.ts";
import { type Annotation, annotationLines, type FormCount, fieldPieces, freeTextPieces } from "./annotations.ts";
import { hiddenLayers, hiddenSigns, withoutHidden } from "./hidden-layers.ts";
import { linesOf, piecesOf, place } from "./page-lines.ts";
import { pageText } from "./page-text.ts";
import { hasUnnamedGlyphs } from "./unnamed-glyphs.ts";

export type PageText = { text: string; annotations: string[] };

/** Reads the text of pages with the values of their fields, and counts what is not shown. */
export async function pageReader(document: PDFDocumentProxy, leftOut: LeftOut) {
  const layers = await hiddenLayers(document);
  const form: FormCount = { fields: 0, empty: 0 };
  const notes = new Set<string>();
  const unnamed: number[] = [];
  if (document.isPureXfa) notes.add("The form is of the kind XFA, whose fields are not read. Save it as a PDF of the ordinary kind.");
  return {
    read: async (page: PDFPageProxy): Promise<PageText> => {
      const { items } = await page.getTextContent();
      let texts = (items as TextItem[]).filter(({ str }) => typeof str === "string");
      const hidden = layers ? await hiddenSigns(page, layers) : null;
      if (hidden) {
        const kept = withoutHidden(texts, hidden);
        if (kept) leftOut.add("character of layers that are off", hidden.count);
        else notes.add(`Page ${page.pageNumber} has layers that are off; their text may stand among the other.`);
        texts = kept ?? texts;
      }
      const annotations = (await page.getAnnotations()) as Annotation[];
      const pieces = piecesOf(texts);
      const lines = linesOf(pieces);
      for (const piece of [...fieldPieces(annotations, form), ...freeTextPieces(annotations)]) place(lines, piece);
      const text = pageText(lines);
      if (hasUnnamedGlyphs(text)) unnamed.push(page.pageNumber);
      return { text, annotations: annotationLines(annotations, pieces) };
    },
    notes: (): string[] => [
      ...notes,
      ...(unnamed.length > 0 ? [unnamedSentence(unnamed)] : []),
      ...(form.fields > 0 ? [`A form with ${form.fields} field${form.fields === 1 ? "" : "s"}, ${form.empty} empty.`] : []),
    ],
  };
}

function unnamedSentence(pages: readonly number[]): string {
  const shown = `${pages.slice(0, 20).join(", ")}${pages.length > 20 ? " and others" : ""}`;
  return `Page${pages.length === 1 ? "" : "s"} ${shown}: a font does not say which letters some of its glyphs are, so words there have wrong signs. method "ocr" reads the page as a picture.`;
}
