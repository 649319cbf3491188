import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";
import {
  type EmbeddedText,
  type ResultLink,
  type RichResult,
  resourceText,
  type SentBlock,
  type ToolResult,
  toolResult,
} from "@/server/tools/define-tool";
import { imageCost } from "@/server/tools/results/image-tokens";
import { isDeeperThan, storableJson } from "../schemas/input-schema";
import { findMismatch } from "../schemas/output-check";
import { cleanResult, withoutHidden } from "../text/clean-result";
import { cleanLine } from "../text/clean-text";
import { detectMediaType } from "./detect-media-type";
import { passedMeta } from "./passed-meta";

/** A result links to a resource. */
export const resourceLink = definePromptHint("resource_link");

type AnswerFile = NonNullable<RichResult["files"]>[number];

const maxStructuredDepth = 100;
const maxUriCharacters = 2_000;
const maxDescriptionCharacters = 500;
const maxLinks = 200;

/**
 * Converts an upstream answer to a tool result: text for the model, structured content, and files for all other parts.
 * A mismatch with the output schema is a note in the text, because the rest of the answer is still useful.
 */
export function readAnswer(answer: CallToolResult, outputSchema: JsonObject | null = null): ToolResult {
  const parts: AnswerParts = { files: [], resources: [], links: [] };
  const { files, resources, links } = parts;
  const written = answer.content.map((part) => writeBlock(part, parts)).filter(({ text }) => text !== "");
  const texts = written.map(({ text }) => text);
  const blocks = written.map(({ block }) => block);
  const structuredContent = structuredPart(answer.structuredContent);
  const meta = passedMeta(answer._meta);
  const mismatch = outputSchema && structuredContent && !answer.isError ? findMismatch(outputSchema, structuredContent) : null;
  if (mismatch) texts.push(`[The structured content does not fit the tool's output schema: ${mismatch}]`);
  const text =
    texts.join("\n") || (answer.structuredContent === undefined ? "(tool returned no content)" : asText(answer.structuredContent));
  const hasLayout = blocks.length > 1 || blocks.some(({ part, annotations, meta }) => part || annotations || meta);
  if (!hasLayout && !structuredContent && !answer.isError && !meta) return cleanResult(text);
  return toolResult({
    text: cleanResult(text),
    ...(answer.isError ? { isError: true } : {}),
    ...(structuredContent ? { structuredContent } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...(resources.length > 0 ? { resources } : {}),
    ...(links.length > 0 ? { links } : {}),
    ...(hasLayout ? { blocks } : {}),
    ...(meta ? { meta } : {}),
  });
}

type AnswerParts = { files: AnswerFile[]; resources: EmbeddedText[]; links: ResultLink[] };

/** Writes a block as the model reads it, and keeps what a program is given in its place. */
function writeBlock(part: ContentBlock, parts: AnswerParts): { text: string; block: SentBlock } {
  const of = keptAs(part);
  const at = of ? parts[of].length : 0;
  const text = contentText(part, parts);
  const isKept = of && parts[of].length > at;
  const annotations = passedMeta(part.annotations);
  const meta = passedMeta(part._meta);
  return {
    text,
    block: {
      written: withoutHidden(text),
      ...(isKept ? { part: { of, at } } : {}),
      ...(annotations ? { annotations } : {}),
      ...(meta ? { meta } : {}),
    },
  };
}

function keptAs(part: ContentBlock): keyof AnswerParts | null {
  if (part.type === "text") return null;
  if (part.type === "resource_link") return "links";
  return part.type === "resource" && "text" in part.resource ? "resources" : "files";
}

function contentText(part: ContentBlock, { files, resources, links }: AnswerParts): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return keepFile(files, part.type, part.mimeType, part.data);
    case "resource_link":
      if (links.length < maxLinks) links.push(linkOf(part));
      return [linkName(part), part.description && cleanLine(part.description, maxDescriptionCharacters), resourceLink.text()]
        .filter(Boolean)
        .join(" - ");
    case "resource":
      return "text" in part.resource ? embeddedText(part.resource, resources) : embeddedFile(part.resource, files);
  }
}

type Embedded = Extract<ContentBlock, { type: "resource" }>["resource"];

/** Keeps an embedded text, and returns it as the model reads it. */
function embeddedText({ uri, mimeType, text }: Extract<Embedded, { text: string }>, resources: EmbeddedText[]): string {
  const resource = {
    uri: cleanLine(uri, maxUriCharacters),
    mediaType: mimeType ? cleanLine(mimeType, 100) : null,
    text: withoutHidden(text),
  };
  resources.push(resource);
  return resourceText({ ...resource, text });
}

function embeddedFile({ uri, mimeType, blob }: Extract<Embedded, { blob: string }>, files: AnswerFile[]): string {
  const line = keepFile(files, nameInUri(uri), mimeType, blob);
  const file = files.at(-1);
  if (file) file.uri = cleanLine(uri, maxUriCharacters);
  return line;
}

/** Returns the URIs of the resources that an answer links to. */
export function linkedResources(answer: CallToolResult): string[] {
  return answer.content.flatMap((part) => (part.type === "resource_link" ? [part.uri] : []));
}

function linkOf({ uri, name, title, description, mimeType }: Extract<ContentBlock, { type: "resource_link" }>): ResultLink {
  const mediaType = mimeType ? cleanLine(mimeType, 100) : null;
  return {
    uri: cleanLine(uri, maxUriCharacters),
    mediaType,
    name: cleanLine(title ?? name, 200),
    description: cleanLine(description ?? "", maxDescriptionCharacters),
  };
}

function linkName({ title, name, uri, mimeType }: Extract<ContentBlock, { type: "resource_link" }>): string {
  const type = mimeType ? ` (${cleanLine(mimeType, 100)})` : "";
  return `${cleanLine(title ?? name, 200)}: ${cleanLine(uri, maxUriCharacters)}${type}`;
}

/** Adds bytes as a file, and returns a line about the file for the model. */
function keepFile(files: AnswerFile[], name: string, declared: string | undefined, base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  const mediaType = declaredType(declared) ?? detectMediaType(bytes);
  const extension = name.includes(".") ? "" : extensionOf(mediaType);
  const file = { name: `${files.length + 1}-${name}${extension}`, mediaType, bytes };
  files.push(file);
  return `[${[`${file.name}: ${mediaType}`, `${inWords(bytes.byteLength)} bytes`, ...pictureWords(file)].join(", ")}]`;
}

/** Returns the declared media type; null when it is malformed or `application/octet-stream`. */
function declaredType(declared: string | undefined): string | null {
  const type = declared?.trim().toLowerCase() ?? "";
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) && type !== "application/octet-stream" ? type : null;
}

function pictureWords({ mediaType, bytes }: AnswerFile): string[] {
  const cost = mediaType.startsWith("image/") ? imageCost(bytes) : null;
  return cost ? [`${cost.width} x ${cost.height} pixels`, `about ${inWords(cost.tokens)} tokens`] : [];
}

function inWords(count: number): string {
  return count.toLocaleString("en");
}

function nameInUri(uri: string): string {
  const last = uri.split(/[?#]/)[0]?.split(/[/\\]/).at(-1) ?? "";
  return (
    last
      .replace(/[^\w.-]/g, "_")
      .replace(/^\.+/, "")
      .slice(-80) || "resource"
  );
}

function extensionOf(mediaType: string): string {
  if (mediaType.startsWith("text/plain")) return ".txt";
  const subtype = mediaType.split("/")[1]?.split("+")[0] ?? "";
  if (subtype === "octet-stream") return ".bin";
  return /^[a-z0-9]{2,8}$/.test(subtype) ? `.${subtype}` : "";
}

function structuredPart(content: unknown): JsonObject | null {
  if (content === undefined || isDeeperThan(content, maxStructuredDepth)) return null;
  const stored = storableJson(content);
  return isJsonObject(stored) ? stored : null;
}

function asText(content: unknown): string {
  return isDeeperThan(content, maxStructuredDepth)
    ? `(the structured content is nested more than ${maxStructuredDepth} levels deep and was left out)`
    : JSON.stringify(content);
}
