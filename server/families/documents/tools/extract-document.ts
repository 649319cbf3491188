import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { PathArgument, pathAliases } from "@/server/capabilities/path-argument";
import { withSimilarPaths } from "@/server/capabilities/similar-paths";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import type { Extracted } from "../program/document-task";
import { extractApart } from "../run-document-program";
import { documentKind } from "./document-kind";

const maxDocumentBytes = 64 * 1_048_576;
const maxChars = 500_000;

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
    'Returns the text of a PDF, Word, Excel, PowerPoint, OpenDocument or HTML file, or of a picture (OCR), as Markdown. pages ("1-5,8") selects pages or slides, sheets and rows parts of a workbook. At most 500,000 characters.',
  family: "documents",
  tier: "extension",
  effect: "read",
  needs: [files],
  aliases: ["extract_document_text", "extract_pdf_text", "extract_docx_text", "DocumentExtractTool", "read_document"],
  parameterAliases: { ...pathAliases, sheet: "sheets", page: "pages", range: "pages" },
  primaryArgument: "path",
  backgroundable: true,
  timeoutMs: 120_000,
  input: z.object({
    path: PathArgument.describe("Relative to the workspace"),
    pages: Ranges.optional().describe('Pages of a PDF or slides, such as "1-5,8"'),
    sheets: z
      .union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).max(100)])
      .transform((asked) => (typeof asked === "string" ? [asked] : asked))
      .default([])
      .describe("Names or numbers of sheets"),
    rows: Ranges.optional().describe('Rows of each sheet, such as "1-1000"'),
    formulas: z.boolean().default(false).describe("Formulas of a workbook beside their values"),
    encoding: z.string().min(1).max(40).optional().describe("Of a text file; found by default"),
    method: z.enum(["auto", "text", "ocr"]).default("auto").describe("ocr reads PDF pages as pictures; auto does so for scanned pages"),
  }),
  effects: ({ path }) => [reads("/path", path)],
  async execute({ path, pages, sheets, rows, formulas, encoding, method }, { files, signal, progress }) {
    const bytes = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxDocumentBytes }));
    if (bytes.byteLength === 0) throw new AppError("invalid", `${path} is empty.`);
    const { kind, mediaType } = await documentKind(path, bytes);
    if (kind === "old") {
      throw new AppError("invalid", `${path} has the old binary form of Office. Save it as .docx, .xlsx or .pptx, then extract that.`);
    }
    if (kind === "encrypted") {
      throw new AppError("invalid", `${path} is encrypted with a password. Ask for a copy without one, or for its text.`);
    }
    if (kind === "unknown") throw new AppError("invalid", `${path} (${mediaType}) is not a document with text that can be extracted.`);
    const task = {
      work: "extract" as const,
      kind,
      bytes,
      sheets,
      formulas,
      method,
      maxChars,
      ...(pages ? { pages } : {}),
      ...(rows ? { rows } : {}),
      ...(encoding ? { encoding } : {}),
    };
    const extracted = await extractApart(task, { signal, progress });
    return resultText(path, mediaType, extracted);
  },
});

function resultText(path: string, mediaType: string, { text, method, extent, isTruncated, notes }: Extracted): string {
  const size = `${text.length.toLocaleString("en")} characters${isTruncated ? ", cut at the limit" : ""}`;
  const lines = [`${path}: ${mediaType}, ${extent}, ${size} (${method}).`, ...notes];
  return `${lines.join("\n")}\n\n${text === "" ? "No text was found." : text}`;
}
