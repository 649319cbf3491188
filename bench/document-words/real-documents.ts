import type { PublishedPackage } from "./published-packages";

/** A document that somebody else made, and the package that carries it. */
export type RealDocument = { from: PublishedPackage; path: string };

const debian = (name: string, ...paths: string[]): RealDocument[] => paths.map((path) => ({ from: { registry: "debian", name }, path }));
const npm = (name: string, version: string, integrity: string, ...paths: string[]): RealDocument[] =>
  paths.map((path) => ({ from: { registry: "npm", name, version, integrity: `sha512-${integrity}` }, path: `package/${path}` }));

/** PDFs of several writers, languages and layouts: manuals, papers, forms, and reference cards of three columns. */
export const pdfs: readonly RealDocument[] = [
  ...debian("bash-doc", "usr/share/doc/bash/bash.pdf", "usr/share/doc/bash/bashref.pdf"),
  ...debian("cups-filters", ...["form_english", "form_russian", "default-testpage"].map((name) => `usr/share/cups/data/${name}.pdf`)),
  ...debian("debian-faq-ru", "usr/share/doc/debian/FAQ/debian-faq.ru.pdf.gz"),
  ...debian("debian-policy", "usr/share/doc/debian-policy/fhs/fhs-3.0.pdf.gz", "usr/share/doc/debian-policy/policy.pdf.gz"),
  ...debian(
    "debian-refcard",
    ...["en", "de", "vi", "el", "hi", "ja", "ko", "zh_CN"].map((language) => `usr/share/doc/debian-refcard/refcard-${language}-a4.pdf.gz`),
  ),
  ...debian("developers-reference-ja", "usr/share/developers-reference/ja/developers-reference.pdf"),
  ...debian("grace", ...["FAQ", "Tutorial", "UsersGuide"].map((name) => `usr/share/doc/grace/${name}.pdf.gz`)),
  ...debian("libtasn1-doc", "usr/share/doc/libtasn1-doc/libtasn1.pdf"),
  ...debian("maint-guide-de", "usr/share/doc/maint-guide-de/maint-guide.de.pdf"),
  ...debian("maint-guide-ja", "usr/share/doc/maint-guide-ja/maint-guide.ja.pdf"),
  ...debian("maint-guide-zh-cn", "usr/share/doc/maint-guide-zh-cn/maint-guide.zh-cn.pdf"),
  ...debian("python-reportlab-doc", "usr/share/doc/python-reportlab-doc/reportlab-userguide.pdf"),
  ...debian("r-cran-zoo", ...["zoo", "zoo-quickref"].map((name) => `usr/lib/R/site-library/zoo/doc/${name}.pdf`)),
  ...debian("shared-mime-info", "usr/share/doc/shared-mime-info/shared-mime-info-spec.pdf"),
  ...debian("xfig-doc", "usr/share/doc/xfig/xfig-howto.pdf", "usr/share/doc/xfig/xfig_ref_en.pdf"),
];

/**
 * Word documents, workbooks and presentations, most of them written by Office itself. None has formulas that were never
 * calculated or that are random, or a pivot table: LibreOffice calculates them anew, with words of its own. None has a day
 * before March 1900, which its calendar counts otherwise than Excel's. None has a chart on a slide, because only the picture of a chart has the numbers of its axis.
 */
export const officeFiles: readonly RealDocument[] = [
  ...npm(
    "mammoth",
    "1.13.0",
    "2cawcYFcP7ISfXbBcL9lmVgTNWo88v/52ND1gnywHtVT/pX0//puPnf0iMPV9ZgmuvNOE+zkIhDgZ9M2c2dDDg==",
    ...["endnotes", "footnotes", "tables", "text-box"].map((name) => `test/test-data/${name}.docx`),
  ),
  ...npm(
    "docx4js",
    "3.3.0",
    "n+EGNivVW1IqUjkHDCLb7/w2mW47/23PqTbQN0V++WaCyYYMwjAKsDdhUt1TMB67/v5KQS4abkxab1uu4zCtIQ==",
    ...["docx", "pptx"].map((kind) => `__tests__/files/loader.${kind}`),
  ),
  ...npm(
    "carbone",
    "3.8.2",
    "ejuZ//MywH4uTIhWPIqSOEWLq9y2s3kPadoOh92rZZCNkYg31y8mpPaQT4rZb6oGmaclLDvOW6Ye0iACVH+c+w==",
    "examples/movies.docx",
  ),
  ...npm(
    "docxtemplater",
    "2.1.5",
    "NjskiO1hJY8znZLaD/aHj113cphPaIhlwIamd67Zed7IJN4O8TVEIOaixFCbJEfTUDcmSKGgTF/6oT4ZxpwQsw==",
    "cli/tagExample.docx",
    "tagIntelligentLoopTableExpected.docx",
  ),
  ...npm(
    "superdoc",
    "2.11.0",
    "e3aLvNnvywNJF0ut6MXtfIoUoS7OZPrfxd/uAL+VG/bGaJEsvC42HB/btejvYF1jezrOHq0rAzJ/st4Pt5hvtw==",
    "dist/footnote-table-order.docx",
  ),
  ...debian("r-cran-officer", ...["example.docx", "example.pptx"].map((name) => `usr/lib/R/site-library/officer/doc_examples/${name}`)),
  ...debian("r-cran-openxlsx", ...["inlineStr", "readTest"].map((name) => `usr/lib/R/site-library/openxlsx/extdata/${name}.xlsx`)),
  ...debian(
    "r-cran-readxl",
    ...["clippy", "datasets", "deaths", "geometry", "type-me"].map((name) => `usr/lib/R/site-library/readxl/extdata/${name}.xlsx`),
  ),
  ...npm(
    "xlsx-stream-reader",
    "1.1.1",
    "BRW8CJ6tQ2mRPUcFwAu+XSYKnxqKlBrhPw1r/L/dl0n/XW4tpSwKSg4v2ECCyQFzv6gZDmoVQxbEIVQMPH0uSQ==",
    "example/example3.xlsx",
    "example/example4.xlsx",
    "test/predefined_formats.xlsx",
  ),
  ...npm(
    "convert-excel-to-json",
    "1.7.0",
    "suJs6xw5W4C/1aEPk9zZIcnIvSjeLy6vJFvQs9joBWTfpGypwjFEHopQe2QKBCz4QPLvsDHbZ7CsiouHAklL4A==",
    "tests/test-data.xlsx",
  ),
  ...npm(
    "pptx2json",
    "0.0.10",
    "H4vAxAcSkWDE9gbLvmyIO2DY0kg7w2Tv88E3oDYyXw3zmd6uypV6P/nG/bOSPeHA8rx/Mn3X7Z7WpnTU+XfZPg==",
    "fixtures/test.pptx",
  ),
  ...npm(
    "ppt-template",
    "1.0.9",
    "CNqOBj3oI6AwClm4rpi4ewPY2jVuI1hsEdOue1XutRwxfpvEv8Fdk8fT0RayJmRzkUL6D1PWfBiRs9ptSBhWsA==",
    "example/output.pptx",
  ),
];
