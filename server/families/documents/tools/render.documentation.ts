import type { RenderFormat } from "../program/document-task";

const source = `
Send the text in markdown, or the path of one or several Markdown files of the workspace; above 5 KB write a file first, because a file can
be corrected with edit_file and rendered again. The document is an artifact of the call: the user downloads it, and it is not in the
workspace. The tool makes new documents and never edits an existing one.

Front matter, at the top, is optional:
---
title: Quarterly report
subtitle: May to July
author: Ada
date: 2026-08-01
---

An image stands alone on its line: ![The sales](charts/sales.png), or ![The sales](artifact:<id>). Addresses of the web are not loaded:
url_fetch them with downloadPath first. An image that cannot be read is left out, and the result says so.
HTML is dropped, apart from comments and line breaks.`.trim();

const formats: Record<RenderFormat, string> = {
  pdf: "PDF: the cover shows the front matter, or the first heading. Send cover: false to begin with the text. Fonts are embedded, so a reader needs none.",
  docx: "Word: headings become the styles of Word, so that its table of contents and navigation work.",
  pptx: "Slides: --- between blank lines begins a slide, and without such lines each heading of level 1 or 2 does. The first heading of a slide is its title; keep to about six short lines a slide. <!-- text --> becomes speaker notes. A slide with too much text goes on on the next.",
  xlsx: "Workbooks: only tables become cells. Each heading of level 1 or 2 begins a sheet with its name. Write numbers without units (1234.5, 12%), so that they become numbers. A text that begins with = stays text, because formulas are not made.",
};

/** Documentation of the tool that renders a format, beyond its description. */
export const renderDocumentation = (format: RenderFormat): string => `${formats[format]}\n\n${source}`;
