import { SaxesParser } from "saxes";
import { DocumentError } from "../document-error.ts";
import type { ZipContainer } from "./zip-container.ts";

const maxDepth = 256;

export type Attributes = Readonly<Record<string, string>>;
export type XmlHandler = {
  /** `name` and attribute names have the usual prefix of their namespace, whichever the part uses. */
  open?: (name: string, attributes: Attributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
  /** Ends the reading early. */
  isDone?: () => boolean;
};

/** The prefixes that Office itself writes; other programs choose their own. */
const usualPrefixes: Readonly<Record<string, string>> = {
  "wordprocessingml/main": "w",
  "presentationml/main": "p",
  "drawingml/main": "a",
  "drawingml/chart": "c",
  "drawingml/diagram": "dgm",
  "drawingml/wordprocessingDrawing": "wp",
  "drawingml/picture": "pic",
  "officeDocument/math": "m",
  "officeDocument/relationships": "r",
};

/** Names of a part under the usual prefixes of their namespaces. A part declares each prefix once, as all writers do. */
class Prefixes {
  readonly #usual = new Map<string, string>();

  declare(attributes: Attributes): void {
    for (const name in attributes) {
      if (!name.startsWith("xmlns")) continue;
      const key = /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/(.*)$/.exec(attributes[name] ?? "")?.[1];
      const usual = key ? usualPrefixes[key.replace("/2006", "")] : undefined;
      const written = name.slice("xmlns:".length);
      if (usual && usual !== written) this.#usual.set(written, usual);
    }
  }

  usual(name: string): string {
    if (this.#usual.size === 0) return name;
    const colon = name.indexOf(":");
    const usual = this.#usual.get(colon === -1 ? "" : name.slice(0, colon));
    return usual === undefined ? name : `${usual}:${name.slice(colon + 1)}`;
  }

  usualAttributes(attributes: Attributes): Attributes {
    if (this.#usual.size === 0) return attributes;
    // An attribute without a prefix is in no namespace.
    return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.includes(":") ? this.usual(name) : name, value]));
  }
}

/**
 * Reads one part of a document as XML events. A document type is refused, so no entity is declared or expanded, and
 * nothing outside the part is read.
 */
export const readXml = (zip: ZipContainer, part: string, handler: XmlHandler): Promise<void> => parseXml(zip.chunks(part), part, handler);

/** Reads the bytes of a part, or of a piece of it, as XML events. */
export async function parseXml(chunks: AsyncIterable<Uint8Array>, part: string, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const prefixes = new Prefixes();
  let depth = 0;
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure ??= error;
  };
  parser.on("doctype", () => fail(new DocumentError("invalid", `The part ${part} declares a document type, which is not read.`)));
  parser.on("error", (error) => fail(new DocumentError("invalid", `The part ${part} is not well-formed XML: ${error.message}.`)));
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > maxDepth) fail(new DocumentError("too_large", `The part ${part} is nested more than ${maxDepth} levels deep.`));
    else if (!failure) {
      const attributes = tag.attributes as Attributes;
      prefixes.declare(attributes);
      handler.open?.(prefixes.usual(tag.name), prefixes.usualAttributes(attributes));
    }
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    if (!failure) handler.close?.(prefixes.usual(tag.name));
  });
  parser.on("text", (text) => !failure && handler.text?.(text));
  parser.on("cdata", (text) => !failure && handler.text?.(text));
  const decoder = new TextDecoder("utf-8");
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    if (failure) throw failure;
    if (handler.isDone?.()) return;
  }
  parser.write(decoder.decode());
  parser.close();
  if (failure) throw failure;
}

/** Reads the relationships of a part: target by id, resolved to a part's name. External targets are omitted. */
export async function readRelations(zip: ZipContainer, part: string): Promise<Map<string, { target: string; type: string }>> {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const file = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const relations = new Map<string, { target: string; type: string }>();
  if (!zip.has(file)) return relations;
  await readXml(zip, file, {
    open: (name, { Id, Target, Type, TargetMode }) => {
      if (!name.endsWith("Relationship") || !Id || !Target || TargetMode === "External") return;
      relations.set(Id, { target: resolvePart(folder, Target), type: Type?.split("/").at(-1) ?? "" });
    },
  });
  return relations;
}

/** Resolves a relative target to the name of a part. */
function resolvePart(folder: string, target: string): string {
  const steps = target.startsWith("/") ? target.split("/") : `${folder}${target}`.split("/");
  const kept: string[] = [];
  for (const step of steps) {
    if (step === "..") kept.pop();
    else if (step !== "." && step !== "") kept.push(step);
  }
  return kept.join("/");
}
