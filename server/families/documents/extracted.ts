import "server-only";
import { AppError } from "@/server/platform/errors";
import { documentKind } from "@/server/platform/formats/document-kind";
import type { DocumentText, ReadDocument } from "@/server/retrieval/document-text";
import { convertOldOffice, newFormats } from "./convert-old-office";
import type { Extracted, ExtractTask } from "./program/document-task";
import { extractApart } from "./run-document-program";

export const maxDocumentBytes = 64 * 1_048_576;

type Given = { path: string; name: string; bytes: Uint8Array };
type Task = Omit<ExtractTask, "work" | "kind" | "bytes">;
type Always = "sheets" | "method" | "changes" | "maxChars";
type Asked = Pick<Task, Always> & { [Key in Exclude<keyof Task, Always>]?: Task[Key] | undefined };
type Listening = { signal: AbortSignal; progress: (sentence: string) => void };
export type Read = Extracted & { mediaType: string };

/** Extracts the text of a document of any kind. @throws AppError with the reason */
export async function extracted({ path, name, bytes }: Given, asked: Asked, listening: Listening): Promise<Read> {
  if (bytes.byteLength === 0) throw new AppError("invalid", `${path} is empty.`);
  const found = await documentKind(name, bytes);
  const { kind, mediaType } = found;
  if (kind === "old") {
    listening.progress(`LibreOffice converts ${path}`);
    const { signal } = listening;
    const converted = await convertOldOffice(path, bytes, { format: found.format, signal });
    const asNew = { path, name: `document.${newFormats[found.format]}`, bytes: converted };
    const read = await extracted(asNew, asked, listening);
    return { ...read, mediaType, notes: ["LibreOffice converted it from the old binary form of Office.", ...read.notes] };
  }
  if (kind === "encrypted")
    throw new AppError("invalid", `${path} is encrypted with a password. Ask for a copy without one, or for its text.`);
  if (kind === "unknown") throw new AppError("invalid", `${path} (${mediaType}) is not a document with text that can be extracted.`);
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as Task;
  return { ...(await extractApart({ work: "extract", kind, bytes, ...given }, listening)), mediaType };
}

const pageMark = /^\[Page (\d+)\]\n?/;

/** Reads a document as text for other rooms: a PDF page by page, any other as one text. */
export const readDocument: ReadDocument = async (name, bytes, { pages, maxCharacters, ...listening }): Promise<DocumentText> => {
  const asked = { pages, sheets: [], method: "auto", changes: "accepted", maxChars: maxCharacters, markPages: true } as const;
  const {
    text,
    mediaType,
    pageCount,
    unreadPages = [],
    notes,
    isTruncated,
  } = await extracted({ path: name, name, bytes }, asked, listening);
  const isPaged = mediaType === "application/pdf" && pageCount !== undefined;
  return {
    mediaType,
    pageCount: isPaged ? pageCount : null,
    parts: isPaged ? text.split("\f").flatMap(toPage) : [{ page: null, text }],
    isTruncated,
    notes,
    unreadPages: [...unreadPages],
  };
};

function toPage(marked: string): DocumentText["parts"] {
  const page = pageMark.exec(marked)?.[1];
  return page === undefined ? [] : [{ page: Number(page), text: marked.replace(pageMark, "").trim() }];
}
