import { z } from "zod";
import { defineRenderTool } from "./render-document";

export const renderDocx = defineRenderTool({
  name: "render_docx",
  format: "docx",
  title: "Render a Word document",
  description:
    "Makes a new Word file from Markdown: headings, lists, tables, links, code, front matter (title, subtitle, author, date). An image stands alone on its line and is a workspace file or artifact:<id> (PNG, JPEG, GIF, BMP, SVG). It does not edit an existing .docx.",
  options: { pageSize: z.enum(["A4", "LETTER"]).default("A4").describe("Size of the pages") },
});
