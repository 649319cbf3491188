import { documentTool } from "@/server/tools/results/helping-tools";
import { defineFamily } from "../define-family";
import { removeOldArtifactLinks } from "./artifact-links";
import { documentsCheck } from "./documents-check";
import { artifactLinkAnswers } from "./endpoints";
import { readDocument } from "./extracted";
import { drawApart } from "./run-document-program";
import { extractDocument } from "./tools/extract-document";
import { renderDocx } from "./tools/render-docx";
import { renderPdf } from "./tools/render-pdf";
import { renderPptx } from "./tools/render-pptx";
import { renderXlsx } from "./tools/render-xlsx";

export const documentsFamily = defineFamily({
  name: "documents",
  endpoints: artifactLinkAnswers,
  tools: [extractDocument, renderDocx, renderPdf, renderPptx, renderXlsx],
  promptHints: [[documentTool, "extract_document"]],
  doctor: [documentsCheck],
  documentReader: { read: readDocument, draw: drawApart },
  removeOldRows: [removeOldArtifactLinks],
});
