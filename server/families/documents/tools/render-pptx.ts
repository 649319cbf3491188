import { z } from "zod";
import { defineRenderTool } from "./render-document";

export const renderPptx = defineRenderTool({
  name: "render_pptx",
  format: "pptx",
  title: "Render a presentation",
  description:
    "Makes a new PowerPoint file from Markdown: --- and headings begin slides, a slide's first heading is its title, <!-- --> are speaker notes; lists, tables, code, footnotes, $math$. An image stands alone on its line and is a workspace file or artifact:<id>. Long slides go on on the next.",
  options: { aspectRatio: z.enum(["16:9", "4:3"]).default("16:9").describe("Form of the slides") },
});
