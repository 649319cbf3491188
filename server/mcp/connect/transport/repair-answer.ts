import { isSpecType, type JSONRPCMessage } from "@modelcontextprotocol/client";
import type { Json } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { isDeeperThan } from "../schemas/input-schema";
import { cleanLine } from "../text/clean-text";
import { leaveOut } from "./read-messages";

type Block = Record<string, unknown>;

const maxDepthShown = 100;

/**
 * Repairs a server's answer to a tool call before the SDK sees it, because the SDK refuses the whole answer for one faulty
 * block. A block that cannot be repaired becomes a line of text that says so. Other messages stay as they are.
 */
export function repairAnswer(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message) || !isJsonObject(message.result)) return message;
  const { result } = message;
  // Only the results of tool calls have these members.
  if (result.content === undefined && result.structuredContent === undefined) return message;
  return { ...message, result: { ...result, ...repairedMembers(result) } };
}

function repairedMembers({ content, structuredContent, isError }: Block): Block {
  const blocks = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
  return {
    content: blocks.map(repairBlock),
    ...(structuredContent === undefined || isJsonObject(structuredContent) ? {} : { structuredContent: wrapped(structuredContent) }),
    ...(isError === undefined || typeof isError === "boolean" ? {} : { isError: isError === "true" }),
  };
}

/** Wraps a list or a plain value in an object, as the SDK's servers do for older clients. */
function wrapped(value: unknown): Block | undefined {
  return value === null ? undefined : { result: value as Json };
}

function repairBlock(block: unknown): Block {
  if (typeof block === "string") return textBlock(block);
  if (!isJsonObject(block)) return leftOut("a part that is no content block");
  const { type } = block;
  const given = leaveOut(block);
  const sent = isJsonObject(given.resource) ? { ...given, resource: leaveOut(given.resource) } : given;
  const repaired = repairs[typeof type === "string" ? type : ""]?.(sent) ?? sent;
  if (isSpecType.ContentBlock(repaired)) return repaired;
  // Annotations and icons are for display only, so a fault in them must not cost the block.
  const { annotations, icons, _meta, ...bare } = repaired;
  if (isSpecType.ContentBlock(bare)) return bare;
  return leftOut(typeof type === "string" ? `a faulty or unknown block of the type ${cleanLine(type, 50)}` : "a block without a type");
}

const repairs: Record<string, ((block: Block) => Block) | undefined> = {
  text: (block) => ({ ...block, text: typeof block.text === "string" ? block.text : asText(block.text) }),
  image: withBytes,
  audio: withBytes,
  resource: (block) =>
    isJsonObject(block.resource) && typeof block.resource.blob === "string"
      ? { ...block, resource: { ...block.resource, blob: repairBase64(block.resource.blob) } }
      : block,
  resource_link: (block) => ({ ...block, name: typeof block.name === "string" ? block.name : block.uri }),
};

function withBytes(block: Block): Block {
  const data = typeof block.data === "string" ? repairBase64(block.data) : block.data;
  return { ...block, data, mimeType: typeof block.mimeType === "string" ? block.mimeType : "application/octet-stream" };
}

/** Removes a data URL's prefix and white space, and converts the URL alphabet; other faults stay. */
function repairBase64(data: string): string {
  const plain = data
    .replace(/^data:[^,]{0,200};base64,/i, "")
    .replace(/\s+/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/=+$/, "");
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, "=");
}

const textBlock = (text: string): Block => ({ type: "text", text });
const leftOut = (what: string): Block => textBlock(`[left out: ${what}]`);

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return isDeeperThan(value, maxDepthShown) ? "[left out: text that is nested too deep]" : JSON.stringify(value);
}
