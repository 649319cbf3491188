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

Beside GFM: footnotes ([^1] with [^1]: text, or ^[text]), formulas of TeX ($x^2$, $$ on lines of their own, \\( \\), \\[ \\], \\ce{H2O}),
==marked==, x^2^, H~2~O (~~struck~~ has two), and page breaks on a line of their own: \\pagebreak, \\newpage, <!-- pagebreak --> or
<div style="page-break-after: always"></div>. A price such as $5 stays text. A formula that TeX cannot read is shown as it was
written, and the result says so.

An image stands alone on its line: ![The sales](charts/sales.png), or ![The sales](artifact:<id>). Addresses of the web are not loaded:
url_fetch them with downloadPath first. Its alternative text is its caption.
An image that cannot be read is left out, and the result says so.
HTML is dropped, apart from comments, line breaks, page breaks and <sup>, <sub>, <mark>, <b>, <i>, <s>, <code>.`.trim();

const formats: Record<RenderFormat, string> = {
  pdf: "PDF: the cover shows the front matter, or the first heading. Send cover: false to begin with the text, contents: true for a page with the headings. Footnotes stand at the end. A table that is too wide for an upright page stands on a landscape one. Emoji are drawn, flags of countries as letters. Fonts are embedded, so a reader needs none.",
  docx: "Word: headings become the styles of Word, so that navigation works. cover: true sets the title on a page of its own, contents: true adds a table of contents. Footnotes and formulas are those of Word. A table that is too wide for an upright page stands on a landscape one.",
  pptx: "Slides: --- between blank lines begins a slide, and so does each heading of the level that titles have: that of the headings behind ---, else 1 and 2. A page break begins one too. The first heading of a slide is its title; keep to about six short lines a slide. <!-- text --> becomes speaker notes. A slide with too much text goes on on the next.",
  xlsx: "Workbooks: tables become cells, other text rows of one cell; pictures are left out. Each heading of level 1 or 2 begins a sheet with its name. Write numbers without units (1234.5, 12%), so that they become numbers; dates (2026-08-01, 1.8.2026, 1 Aug 2026) become dates, those with slashes where the column tells day and month apart. A text that begins with = stays text, because formulas are not made.",
};

/** Documentation of the tool that renders a format, beyond its description. */
export const renderDocumentation = (format: RenderFormat): string => `${formats[format]}\n\n${source}`;
