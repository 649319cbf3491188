import { z } from "zod";
import { contentsOption, defineRenderTool } from "./render-document";

export const renderPdf = defineRenderTool({
  name: "render_pdf",
  format: "pdf",
  title: "Render a PDF",
  description:
    "Makes a new PDF from Markdown with page numbers, a header and embedded fonts, also for Chinese, Japanese and emoji; footnotes, $math$, page breaks. The cover shows the front matter (title, subtitle, author, date) or the first heading. An image stands alone on its line and is a workspace file or artifact:<id> (PNG, JPEG, SVG).",
  options: {
    pageSize: z.enum(["A4", "LETTER"]).default("A4").describe("Size of the pages"),
    cover: z.boolean().default(true).describe("Whether the title stands on a page of its own"),
    contents: contentsOption,
  },
});
