import type { DocumentKind } from "@/server/platform/formats/document-kind";
import type { DocumentErrorCode } from "./document-error.ts";

/** Way in which tracked changes of a document are shown. */
export type ChangesMode = "accepted" | "original" | "marked";
export type ExtractMethod = "auto" | "text" | "ocr";

export type ExtractTask = {
  work: "extract";
  kind: DocumentKind;
  bytes: Uint8Array;
  /** Pages of a PDF and slides of a presentation, such as "1-5,8"; all when absent. */
  pages?: string;
  /** Names or numbers of sheets; all when empty. */
  sheets: readonly string[];
  /** Rows of each sheet, such as "1-1000"; all when absent. */
  rows?: string;
  /** Shows the formulas of a workbook beside their values. */
  formulas?: boolean;
  /** Of text and HTML; found when absent. */
  encoding?: string;
  /** Code of the language of recognised text, such as "eng"; found when absent. */
  language?: string;
  method: ExtractMethod;
  changes: ChangesMode;
  maxChars: number;
  /** Begins each page of a PDF after the first with a form feed, which its text never holds. */
  markPages?: boolean;
};

export type Extracted = {
  text: string;
  /** Way in which the text was found, such as "text layer" or "OCR". */
  method: string;
  /** Part of the document that the text covers, such as "pages 1 to 5 of 200". */
  extent: string;
  isTruncated: boolean;
  /** Sentences about parts that are missing from the text. */
  notes: readonly string[];
  /** Pages of the whole document, where it has some. */
  pageCount?: number;
  /** Pages whose text could not be read, such as scanned ones. */
  unreadPages?: readonly number[];
  /** Files that the document carries, such as the attachments of a mail. */
  attachments?: readonly Attachment[];
};

export type Attachment = { name: string; mediaType: string; bytes: Uint8Array };

export type RenderFormat = "docx" | "xlsx" | "pptx" | "pdf";
export type PageSize = "A4" | "LETTER";
export type AspectRatio = "16:9" | "4:3";

export type RenderTask = {
  work: "render";
  format: RenderFormat;
  markdown: string;
  /** Bytes of the images, by the address that the Markdown gives. */
  images: Readonly<Record<string, Uint8Array>>;
  pageSize: PageSize;
  aspectRatio: AspectRatio;
  /** A title opens the document on a page of its own. */
  cover: boolean;
  /** A page with the headings follows the cover; a text is its title. */
  contents: boolean | string;
};

/** `extent`: the size in words, such as "12 pages". */
export type Rendered = { bytes: Uint8Array; extent: string; notes: readonly string[] };

/** Draws one page of a PDF as a PNG. */
export type DrawTask = { work: "draw"; bytes: Uint8Array; page: number };

export type DocumentTask = ExtractTask | RenderTask | DrawTask;

/** The program's messages to the server. */
export type ProgramMessage =
  | { kind: "progress"; sentence: string }
  | { kind: "extracted"; extracted: Extracted }
  | { kind: "rendered"; rendered: Rendered }
  | { kind: "drawn"; picture: Uint8Array }
  | { kind: "failed"; code: DocumentErrorCode; sentence: string };
