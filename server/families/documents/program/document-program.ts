import { DocumentError } from "./document-error.ts";
import type { DocumentTask, ProgramMessage } from "./document-task.ts";

process.once("message", (task: DocumentTask) => {
  void answer(task).then((message) => process.send?.(message, () => process.exit()));
});
process.on("disconnect", () => process.exit());

async function answer(task: DocumentTask): Promise<ProgramMessage> {
  try {
    if (task.work === "extract") return { kind: "extracted", extracted: await (await import("./read/extract.ts")).extract(task) };
    if (task.work === "draw")
      return { kind: "drawn", picture: await (await import("./read/read-pdf.ts")).drawPdfPage(task.bytes, task.page) };
    return { kind: "rendered", rendered: await (await import("./write/render.ts")).render(task) };
  } catch (error) {
    if (error instanceof DocumentError) return { kind: "failed", code: error.code, sentence: error.message };
    if (error instanceof RangeError)
      return { kind: "failed", code: "too_large", sentence: "The document is nested too deeply, or too large." };
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "failed", code: "invalid", sentence: `The document cannot be processed: ${reason.slice(0, 300)}` };
  }
}
