import type { Extracted, ExtractTask } from "../document-task.ts";
import { numberRanges } from "./number-ranges.ts";

/** Extracts the text of a document. Each reader is loaded only when its kind is read. */
export async function extract(task: ExtractTask): Promise<Extracted> {
  const { bytes, maxChars } = task;
  const pages = () => numberRanges(task.pages, "pages");
  const workbook = () => ({
    sheets: task.sheets,
    rows: numberRanges(task.rows, "rows"),
    formulas: task.formulas ?? false,
    maxChars,
  });
  switch (task.kind) {
    case "pdf":
      return (await import("./read-pdf.ts")).readPdf(bytes, pages(), task, maxChars);
    case "docx":
      return (await import("./read-docx.ts")).readDocx(bytes, task.changes, maxChars);
    case "pptx":
      return (await import("./read-pptx.ts")).readPptx(bytes, pages(), maxChars);
    case "xlsx":
      return (await import("./read-xlsx.ts")).readXlsx(bytes, workbook());
    case "ods":
      return (await import("./odf/read-ods.ts")).readOds(bytes, workbook());
    case "odt":
    case "odp":
      return (await import("./odf/read-odf.ts")).readOdf(bytes, task.kind === "odp", pages(), maxChars);
    case "html":
      return (await import("./read-html.ts")).readHtml(bytes, maxChars, task.encoding);
    case "epub":
      return (await import("./read-epub.ts")).readEpub(bytes, pages(), maxChars);
    case "rtf":
      return (await import("./rtf/read-rtf.ts")).readRtf(bytes, maxChars);
    case "eml":
      return (await import("./mail/read-eml.ts")).readEml(bytes, maxChars);
    case "msg":
      return (await import("./mail/read-msg.ts")).readMsg(bytes, maxChars);
    case "text":
      return (await import("./read-text.ts")).readText(bytes, maxChars, task.encoding);
    case "tiff":
      return (await import("./read-tiff.ts")).readTiff(bytes, pages(), maxChars, task.language);
    case "image":
      return (await import("./read-image.ts")).readImage(bytes, maxChars, task.language);
  }
}
