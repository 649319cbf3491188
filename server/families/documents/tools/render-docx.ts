import { z } from "zod";
import { contentsOption, defineRenderTool } from "./render-document";

export const renderDocx = defineRenderTool({
  name: "render_docx",
  format: "docx",
  title: "Render a Word document",
  description:
    "Makes a new Word file from Markdown: headings, lists, tables, links, code, footnotes, $math$, page breaks, front matter (title, subtitle, author, date). An image stands alone on its line and is a workspace file or artifact:<id> (PNG, JPEG, GIF, BMP, SVG). It does not edit an existing .docx.",
  options: {
    pageSize: z.enum(["A4", "LETTER"]).default("A4").describe("Size of the pages"),
    cover: z.boolean().default(false).describe("Whether the title stands on a page of its own"),
    contents: contentsOption,
  },
});
