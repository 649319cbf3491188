import type { LanguageModelV4File, LanguageModelV4ToolResult } from "@ai-sdk/provider";
import type { ModelFile } from "./model-request";

/** Files of one answer; more are left out. */
export const maxFiles = 10;
const maxBytes = 20 * 1_048_576;

/** Reads a file that the model itself made; null for one that is only an address, or too large. */
export function fileOf({ mediaType, data }: Pick<LanguageModelV4File, "mediaType" | "data">): ModelFile | null {
  if (data.type !== "data") return null;
  const bytes = typeof data.data === "string" ? Buffer.from(data.data, "base64") : data.data;
  return bytes.byteLength === 0 || bytes.byteLength > maxBytes ? null : { mediaType, data: bytes };
}

/** Reads the image of a provider's own generator: base64 in `result`. Previews and other results are none. */
export function imageOfResult({ result, preliminary, isError }: LanguageModelV4ToolResult): ModelFile | null {
  if (preliminary || isError || typeof result !== "object" || !("result" in result)) return null;
  const { result: encoded } = result as { result: unknown };
  if (typeof encoded !== "string" || encoded.length > maxBytes * 1.4) return null;
  const data = Buffer.from(encoded, "base64");
  const mediaType = imageType(data);
  return mediaType ? { mediaType, data } : null;
}

function imageType(bytes: Buffer): string | null {
  const starts = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString("latin1") === text;
  if (starts("\x89PNG\r\n\x1a\n")) return "image/png";
  if (starts("\xff\xd8\xff")) return "image/jpeg";
  return starts("RIFF") && starts("WEBP", 8) ? "image/webp" : null;
}
