import { DocumentError } from "../document-error.ts";
import type { Extracted } from "../document-task.ts";
import { LeftOut } from "./left-out.ts";
import { extentOf, type NumberRanges } from "./number-ranges.ts";
import { addHtml } from "./read-html.ts";
import { TextBudget } from "./text-budget.ts";
import { readXml } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

const maxChapterBytes = 8 * 1_048_576;

/** Extracts the text of an EPUB: its parts in reading order. `wanted` selects parts. */
export async function readEpub(bytes: Uint8Array, wanted: NumberRanges, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const { parts, title, creators } = await readPackage(zip);
  const locked = await lockedParts(zip);
  const numbers = parts.map((_, at) => at + 1).filter((number) => wanted.has(number));
  if (numbers.length === 0) throw new DocumentError("invalid", `pages: the book has ${parts.length} parts.`);
  const budget = new TextBudget(maxChars);
  const leftOut = new LeftOut();
  if (title) budget.add(`Title: ${title}`);
  if (creators.length > 0) budget.add(`Author: ${creators.join(", ")}`);
  const read: number[] = [];
  for (const number of numbers) {
    const part = parts[number - 1] ?? "";
    if (budget.isFull) break;
    if (locked.has(part)) throw new DocumentError("invalid", "The book is protected (DRM), so its text cannot be read.");
    if (!zip.has(part)) leftOut.add("part that is missing");
    else addHtml(closedTags(await textOfPart(zip, part)), budget, leftOut);
    read.push(number);
  }
  const notes = [...leftOut.sentences(), ...(budget.isTruncated ? [`Go on with pages "${read.at(-1)}-".`] : [])];
  return {
    text: budget.toString(),
    method: "book text",
    extent: extentOf("part", read, parts.length),
    isTruncated: budget.isTruncated,
    notes,
  };
}

/** XHTML may close any element at once; HTML may not. */
const closedTags = (xhtml: string): string =>
  xhtml.replaceAll(
    /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi,
    "<$1$2></$1>",
  );

async function readPackage(zip: ZipContainer): Promise<{ parts: string[]; title: string; creators: string[] }> {
  let root = "";
  await readXml(zip, "META-INF/container.xml", {
    open: (name, attributes) => {
      if (name.endsWith("rootfile")) root ||= attributes["full-path"] ?? "";
    },
  });
  const folder = root.slice(0, root.lastIndexOf("/") + 1);
  const files = new Map<string, string>();
  const order: string[] = [];
  let title = "";
  const creators: string[] = [];
  let element = "";
  await readXml(zip, root, {
    open: (tag, attributes) => {
      element = tag.slice(tag.indexOf(":") + 1);
      if (element === "item") files.set(attributes.id ?? "", resolved(folder, attributes.href ?? ""));
      else if (element === "itemref") order.push(attributes.idref ?? "");
    },
    text: (text) => {
      if (element === "title") title ||= text.trim().slice(0, 300);
      else if (element === "creator" && text.trim() !== "") creators.push(text.trim().slice(0, 200));
    },
    close: () => {
      element = "";
    },
  });
  const parts = order.map((id) => files.get(id) ?? "").filter((part) => part !== "");
  if (parts.length === 0) throw new DocumentError("invalid", "The book names no part to read, so it is damaged.");
  return { parts, title, creators };
}

function resolved(folder: string, href: string): string {
  let name = href.split("#")[0] ?? "";
  try {
    name = decodeURIComponent(name);
  } catch {
    // The name is as it is written.
  }
  const kept: string[] = [];
  for (const step of `${folder}${name}`.split("/")) {
    if (step === "..") kept.pop();
    else if (step !== "." && step !== "") kept.push(step);
  }
  return kept.join("/");
}

async function lockedParts(zip: ZipContainer): Promise<Set<string>> {
  const locked = new Set<string>();
  if (!zip.has("META-INF/encryption.xml")) return locked;
  await readXml(zip, "META-INF/encryption.xml", {
    open: (name, attributes) => {
      if (name.endsWith("CipherReference")) locked.add(resolved("", attributes.URI ?? ""));
    },
  });
  return locked;
}

async function textOfPart(zip: ZipContainer, part: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of zip.chunks(part)) {
    size += chunk.byteLength;
    if (size > maxChapterBytes) throw new DocumentError("too_large", "A part of the book has more than 8 MiB.");
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
