import "server-only";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";

/** The text of a document: one part a page where it has pages, otherwise one part with headings, tables and code as Markdown. */
export type DocumentText = {
  mediaType: string;
  /** Pages of the whole document; null for one without pages. */
  pageCount: number | null;
  parts: { page: number | null; text: string }[];
  /** The text was cut at the limit of characters. */
  isTruncated: boolean;
  /** Sentences about parts that are missing from the text. */
  notes: readonly string[];
  /** Pages without readable text, such as scanned ones on a machine without recognition. */
  unreadPages: number[];
};

export type ReadDocument = (
  name: string,
  bytes: Uint8Array,
  options: {
    /** Pages to read, such as "1-100"; all when absent. Other kinds than PDF are read as a whole. */
    pages?: string | undefined;
    maxCharacters: number;
    signal: AbortSignal;
    progress: (sentence: string) => void;
  },
) => Promise<DocumentText>;

/** Reads documents, and draws pages of a PDF as PNG. */
export type DocumentReader = {
  read: ReadDocument;
  draw: (bytes: Uint8Array, page: number, signal: AbortSignal) => Promise<Uint8Array>;
};

const provided = () => processWide<{ reader: DocumentReader | null }>("retrieval.documentReader", () => ({ reader: null }));

/** Provides the reader of documents, which a family has. */
export function provideDocumentReader(reader: DocumentReader): void {
  provided().reader = reader;
}

function documentReader(): DocumentReader {
  const { reader } = provided();
  if (!reader) throw new AppError("unavailable", "Documents cannot be read: no family of this installation does so.");
  return reader;
}

/**
 * Reads the text of a document of any kind that the product knows: Markdown, text, HTML, PDF, Office, mail, pictures.
 * @throws AppError `invalid` for bytes that are no such document, or have a password
 */
export const documentText: ReadDocument = async (name, bytes, options) => documentReader().read(name, bytes, options);

/** Draws a page of a PDF as PNG. @throws AppError */
export const documentPicture: DocumentReader["draw"] = async (bytes, page, signal) => documentReader().draw(bytes, page, signal);
