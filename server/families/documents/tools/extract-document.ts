import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { PathArgument, pathAliases, readPathDescription } from "@/server/capabilities/files/path-argument";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool, type RichResult, toolResult } from "@/server/tools/define-tool";
import { extracted, maxDocumentBytes, type Read } from "../extracted";
import type { Attachment } from "../program/document-task";

const maxChars = 500_000;
/** Attachments of a mail that become files of the conversation. */
const maxAttachments = 20;
const maxAttachedBytes = 25 * 1_048_576;

const Ranges = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[\d\s,-]+$/, 'must be ranges of numbers, such as "1-5,8"');

export const extractDocument = defineTool({
  name: "extract_document",
  title: "Extract a document's text",
  description:
    'Returns the text of a PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB or HTML file, a mail (EML, MSG), or a picture (OCR), as Markdown; .doc, .xls, .ppt where LibreOffice is installed. pages ("1-5,8") selects pages or slides, sheets and rows parts of a workbook. At most 500,000 characters.',
  family: "documents",
  tier: "extension",
  effect: "read",
  needs: [files],
  names: {
    aliases: ["extract_document_text", "extract_pdf_text", "extract_docx_text", "DocumentExtractTool", "read_document"],
    parameterAliases: { ...pathAliases, sheet: "sheets", page: "pages", range: "pages" },
  },
  primaryArgument: "path",
  running: { backgroundable: true },
  timeoutMs: 120_000,
  input: z.object({
    path: PathArgument.describe(readPathDescription),
    pages: Ranges.optional().describe('Pages of a PDF or TIFF, or slides, such as "1-5,8"'),
    sheets: z
      .union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).max(100)])
      .transform((asked) => (typeof asked === "string" ? [asked] : asked))
      .default([])
      .describe("Names or numbers of sheets"),
    rows: Ranges.optional().describe('Rows of each sheet, such as "1-1000"'),
    formulas: z.boolean().default(false).describe("Formulas of a workbook beside their values"),
    encoding: z.string().min(1).max(40).optional().describe("Of a text file; found by default"),
    attachment: z.string().trim().min(1).max(300).optional().describe("Name of a mail's attachment to read instead of the mail"),
    changes: z.enum(["accepted", "original", "marked"]).default("accepted").describe("Tracked changes of a Word document"),
    language: z
      .string()
      .trim()
      .regex(/^[A-Za-z]{3}(_[A-Za-z]{2,10})?$/, 'must be a code such as "eng", "deu" or "chi_sim"')
      .optional()
      .describe("Of text in pictures, such as deu; found by default"),
    method: z.enum(["auto", "text", "ocr"]).default("auto").describe("ocr reads PDF pages as pictures; auto does so for scanned pages"),
  }),
  approval: { effects: ({ path }) => [reads("/path", path)] },
  async execute({ path, attachment, ...asked }, { files, signal, progress }) {
    const bytes = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxDocumentBytes }));
    const { name } = await files.stat(path);
    const mail = await extracted({ path, name, bytes }, { ...asked, maxChars }, { signal, progress });
    if (attachment === undefined) return withAttachments(resultText(path, mail), mail.attachments ?? []);
    const found = attachmentOf(path, mail.attachments ?? [], attachment);
    const inner = await extracted({ path: found.name, name: found.name, bytes: found.bytes }, { ...asked, maxChars }, { signal, progress });
    return withAttachments(resultText(`${found.name} of ${path}`, inner), inner.attachments ?? []);
  },
});

/** Finds an attachment by its name, in capitals or not. @throws AppError that lists them */
function attachmentOf(path: string, attachments: readonly Attachment[], asked: string): Attachment {
  const found =
    attachments.find(({ name }) => name === asked) ?? attachments.find(({ name }) => name.toLowerCase() === asked.toLowerCase());
  if (found) return found;
  const names = attachments.map(({ name }) => name).slice(0, 30);
  throw new AppError("invalid", `attachment: ${path} has ${names.length === 0 ? "no attachments" : `only ${names.join(", ")}`}.`);
}

/** Adds the attachments as files of the conversation, as far as they are small and few enough. */
function withAttachments(text: string, attachments: readonly Attachment[]): string | RichResult {
  if (attachments.length === 0) return text;
  let left = maxAttachedBytes;
  const files = attachments.filter(({ bytes }, at) => {
    const fits = at < maxAttachments && bytes.byteLength > 0 && bytes.byteLength <= left;
    if (fits) left -= bytes.byteLength;
    return fits;
  });
  const kept =
    files.length === attachments.length ? "" : ` ${attachments.length - files.length} are too large or too many to be kept as files.`;
  const [first, ...rest] = text.split("\n");
  const sentence = `Read an attachment with its name as attachment.${kept}`;
  return toolResult({ text: [first, sentence, ...rest].join("\n"), files: files.map((file) => ({ ...file })) });
}

function resultText(path: string, { mediaType, text, method, extent, isTruncated, notes }: Read): string {
  const size = `${text.length.toLocaleString("en")} characters${isTruncated ? ", cut at the limit" : ""}`;
  const lines = [`${path}: ${mediaType}, ${extent}, ${size} (${method}).`, ...notes];
  return `${lines.join("\n")}\n\n${text === "" ? "No text was found." : text}`;
}
