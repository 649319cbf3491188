import { strToU8, zipSync } from "fflate";
import type { DocumentKind } from "@/server/platform/formats/document-kind";
import type { Extracted, ExtractTask } from "../document-task.ts";
import { extract } from "../read/extract.ts";

/** Extracts a document as the tool does, without its process. */
export const reading = (kind: DocumentKind, bytes: Uint8Array, more: Partial<ExtractTask> = {}): Promise<Extracted> =>
  extract({ work: "extract", kind, bytes, sheets: [], method: "auto", changes: "accepted", maxChars: 500_000, ...more });

/** Packs the parts of a document, each a text or bytes. */
export const packed = (parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part])));

const names = {
  w: "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
  m: "http://schemas.openxmlformats.org/officeDocument/2006/math",
  r: "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
  p: "http://schemas.openxmlformats.org/presentationml/2006/main",
  c: "http://schemas.openxmlformats.org/drawingml/2006/chart",
};
const declared = Object.entries(names)
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(" ");

/** A relationship's type and target by its id; a target with a colon is an address. */
export const relations = (of: Readonly<Record<string, readonly [type: string, target: string]>>): string =>
  `<Relationships>${Object.entries(of)
    .map(
      ([id, [type, target]]) =>
        `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"${target.includes(":") ? ' TargetMode="External"' : ""}/>`,
    )
    .join("")}</Relationships>`;

/** A Word document with this body. `parts` holds more parts of the folder word, by name without ".xml". */
export function wordFile(
  body: string,
  parts: Readonly<Record<string, string>> = {},
  related: Readonly<Record<string, readonly [string, string]>> = {},
): Uint8Array {
  const more = Object.entries(parts).map(([name, content]) => [`word/${name}.xml`, `<w:part ${declared}>${content}</w:part>`]);
  return packed({
    "word/document.xml": `<w:document ${declared}><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relations(related),
    ...Object.fromEntries(more),
  });
}

/** A paragraph of Word. `properties` are those of the paragraph. */
export const paragraph = (content: string, properties = ""): string =>
  `<w:p>${properties ? `<w:pPr>${properties}</w:pPr>` : ""}${content}</w:p>`;
/** A run of Word. */
export const run = (text: string, properties = ""): string =>
  `<w:r>${properties ? `<w:rPr>${properties}</w:rPr>` : ""}<w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A presentation. Slides hold the content of their shape tree; `related` their relationships, `parts` further parts by full name. */
export function slideFile(
  slides: readonly { shapes: string; attributes?: string; related?: Readonly<Record<string, readonly [string, string]>> }[],
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const files: Record<string, string> = { ...parts };
  for (const [at, { shapes, attributes = "", related = {} }] of slides.entries()) {
    files[`ppt/slides/slide${at + 1}.xml`] = `<p:sld ${declared} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    files[`ppt/slides/_rels/slide${at + 1}.xml.rels`] = relations(related);
  }
  files["ppt/presentation.xml"] =
    `<p:presentation ${declared}><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`).join("")}</p:sldIdLst></p:presentation>`;
  files["ppt/_rels/presentation.xml.rels"] = relations(
    Object.fromEntries(slides.map((_, at) => [`r${at}`, ["slide", `slides/slide${at + 1}.xml`] as const])),
  );
  return packed(files);
}

/** A shape of a slide with paragraphs. `placeholder` is its kind, such as "title". */
export const shape = (paragraphs: readonly string[], placeholder = ""): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="s"/><p:cNvSpPr/><p:nvPr>${placeholder ? `<p:ph type="${placeholder}"/>` : ""}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs
    .map((text) => (text.startsWith("<") ? text : `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`))
    .join("")}</p:txBody></p:sp>`;
