import { DocumentError } from "../document-error.ts";
import type { Rendered, RenderTask } from "../document-task.ts";
import type { DocumentTree } from "./document-tree.ts";
import { loadPictures, type Pictures } from "./images.ts";
import { parseMarkdown } from "./parse-markdown.ts";

/** Renders Markdown as a document. Each writer is loaded only for its format. */
export async function render(task: RenderTask): Promise<Rendered> {
  const tree = parseMarkdown(task.markdown);
  if (tree.blocks.length === 0) throw new DocumentError("invalid", "markdown: there is no text in it.");
  const formulaNotes = tree.formulas.length > 0 ? (await import("./math/typeset.ts")).readFormulas(tree.formulas) : [];
  const pictures = loadPictures(task.images);
  const written = await write(task, tree, pictures);
  return { ...written, notes: [...tree.notes, ...formulaNotes, ...pictures.notes, ...written.notes] };
}

async function write(task: RenderTask, tree: DocumentTree, pictures: Pictures): Promise<Rendered> {
  switch (task.format) {
    case "docx":
      return (await import("./write-docx.ts")).writeDocx(tree, pictures, task);
    case "xlsx":
      return (await import("./write-xlsx.ts")).writeXlsx(tree);
    case "pptx":
      return (await import("./write-pptx.ts")).writePptx(tree, pictures, task.aspectRatio);
    case "pdf":
      return (await import("./write-pdf.ts")).writePdf(tree, pictures, task);
  }
}
