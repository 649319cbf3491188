import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { DocumentError } from "../document-error.ts";
import type { Extracted, ExtractMethod } from "../document-task.ts";
import { packageFile } from "../package-file.ts";
import { reportProgress } from "../report-progress.ts";
import { LeftOut } from "./left-out.ts";
import { extentOf, type NumberRanges } from "./number-ranges.ts";
import { type PageText, pageReader } from "./pdf/read-page.ts";
import { maxRecognised, type Recognised, recognitionMs, startRecognition, type TextRecognition } from "./recognise-text.ts";
import { RecognisedPages } from "./recognised-pages.ts";
import { TextBudget } from "./text-budget.ts";

/** A page with less text than this is a picture of text. */
const scannedChars = 16;
/** Pixels of the shorter and the longer side of a page that is drawn for recognition. */
const recognisedSize = { shorter: 1_700, longer: 5_000 };

/** Extracts the text of a PDF, page by page. Scanned pages are drawn and recognised, when the machine can. */
export async function readPdf(
  bytes: Uint8Array,
  wanted: NumberRanges,
  { method, language, markPages }: { method: ExtractMethod; language?: string | undefined; markPages?: boolean | undefined },
  maxChars: number,
): Promise<Extracted> {
  const document = await openPdf(bytes);
  const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1).filter((number) => wanted.has(number));
  if (numbers.length === 0) throw new DocumentError("invalid", `pages: the document has ${document.numPages} pages.`);
  const budget = new TextBudget(maxChars);
  const leftOut = new LeftOut();
  const reader = await pageReader(document, leftOut);
  const recognition = lazyRecognition(language);
  const endsAt = performance.now() + recognitionMs;
  const read: number[] = [];
  const recognised = new RecognisedPages(recognition.languages);
  const unread: number[] = [];
  for (const number of numbers) {
    if (budget.isFull) break;
    if (number % 20 === 0 || method === "ocr") reportProgress(`Reading page ${number} of ${document.numPages}`);
    const page = await document.getPage(number);
    const layer: PageText = method === "ocr" ? { text: "", annotations: [] } : await reader.read(page);
    let text = layer.text;
    if (text.length < scannedChars && method !== "text" && (method === "ocr" || (await hasPicture(page)))) {
      const seen = recognised.size < maxRecognised && performance.now() < endsAt ? await recognition.read(page) : null;
      if (seen === null) unread.push(number);
      else text = recognised.add(number, seen);
    }
    const written = [`[Page ${number}]`, text, ...layer.annotations].join("\n");
    budget.add(markPages ? `\f${written.replaceAll("\f", " ")}` : `\n${written}`);
    read.push(number);
    page.cleanup();
  }
  await recognition.close();
  leftOut.add("attached file", (await document.getAttachments())?.size ?? 0);
  await document.loadingTask.destroy();
  const total = document.numPages;
  if (method === "ocr" && recognised.size === 0) throw new DocumentError("unavailable", recognition.reason());
  return {
    text: budget.toString(),
    method:
      recognised.size === 0
        ? "text layer"
        : recognised.size === read.length
          ? recognised.method()
          : `text layer, ${recognised.method()} of ${recognised.size} page${recognised.size === 1 ? "" : "s"}`,
    extent: extentOf("page", read, total),
    pageCount: total,
    unreadPages: unread,
    isTruncated: budget.isTruncated,
    notes: [
      ...leftOut.sentences(),
      ...reader.notes(),
      ...recognised.notes("Page"),
      ...(budget.isTruncated ? [`Go on with pages "${read.at(-1)}-".`] : []),
      ...(unread.length > 0 ? [`Scanned pages without text: ${unread.slice(0, 30).join(", ")}. ${recognition.reason()}`] : []),
    ],
  };
}

async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const folder = (name: string) => `${packageFile("pdfjs-dist", name)}/`;
  try {
    return await getDocument({
      data: new Uint8Array(bytes),
      cMapUrl: folder("cmaps"),
      cMapPacked: true,
      standardFontDataUrl: folder("standard_fonts"),
      wasmUrl: folder("wasm"),
      iccUrl: folder("iccs"),
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      maxImageSize: 64_000_000,
      verbosity: 0,
    }).promise;
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      throw new DocumentError("invalid", "The PDF is protected by a password. Save it without one first.");
    }
    throw new DocumentError("invalid", `The PDF cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function hasPicture(page: PDFPageProxy): Promise<boolean> {
  const { OPS } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const { fnArray } = await page.getOperatorList();
  const pictures = new Set([OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject]);
  return fnArray.some((operation: number) => pictures.has(operation as 85));
}

/** Starts recognition at the first page that needs it. */
function lazyRecognition(language: string | undefined) {
  let started: TextRecognition | null = null;
  let why = "Ask for these pages in another call.";
  let isMissing = false;
  return {
    /** Returns the text of a drawn page; null when the machine cannot recognise text. */
    read: async (page: PDFPageProxy): Promise<Recognised | null> => {
      if (isMissing) return null;
      try {
        started ??= await startRecognition(language);
        reportProgress(`Recognising the text of page ${page.pageNumber}`);
        return await started.recognise(await draw(page));
      } catch (error) {
        if (!(error instanceof DocumentError) || error.code !== "unavailable") throw error;
        isMissing = true;
        why = error.message;
        return null;
      }
    },
    languages: (): readonly string[] => started?.languages ?? [],
    reason: () => why,
    close: async () => started?.close(),
  };
}

/** Draws one page for people. @throws DocumentError */
export async function drawPdfPage(bytes: Uint8Array, number: number): Promise<Uint8Array> {
  const document = await openPdf(bytes);
  if (number > document.numPages) throw new DocumentError("invalid", `The document has ${document.numPages} pages.`);
  return draw(await document.getPage(number), { shorter: 1_000, longer: 2_000 });
}

async function draw(page: PDFPageProxy, drawn = recognisedSize): Promise<Uint8Array> {
  const canvasPackage = await import("@napi-rs/canvas").catch(() => null);
  if (!canvasPackage) {
    throw new DocumentError("unavailable", "Scanned pages need the package @napi-rs/canvas, which is not installed for this platform.");
  }
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(4, drawn.shorter / Math.max(1, Math.min(width, height)), drawn.longer / Math.max(1, width, height));
  const viewport = page.getViewport({ scale });
  const size = { width: Math.ceil(viewport.width), height: Math.ceil(viewport.height) };
  const canvas = canvasPackage.createCanvas(size.width, size.height);
  await page.render({ canvas: canvas as never, canvasContext: canvas.getContext("2d") as never, viewport }).promise;
  return canvas.encode("png");
}
