import { defineRenderTool } from "./render-document";

export const renderXlsx = defineRenderTool({
  name: "render_xlsx",
  format: "xlsx",
  title: "Render an Excel workbook",
  description:
    "Makes a new Excel file from Markdown tables: one sheet per heading of level 1 or 2, the first row bold, grey and frozen, numbers, percentages and dates as such. A text that begins with = stays text.",
  options: {},
});
