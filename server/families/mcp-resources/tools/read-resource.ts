import { z } from "zod";
import { detectMediaType } from "@/server/mcp/connect/content/detect-media-type";
import { cleanResult } from "@/server/mcp/connect/text/clean-result";
import { cleanLine } from "@/server/mcp/connect/text/clean-text";
import { defineTool, type RichResult, toolResult } from "@/server/tools/define-tool";
import { fenceExternalText } from "@/server/tools/results/external-text";
import { linkedResources } from "../linked-resources";

const maxTextCharacters = 1_000_000;
const maxParts = 50;

export const readResource = defineTool({
  name: "read_resource",
  title: "Read a linked resource",
  description: "Reads a resource of an MCP server that a result linked to, by its URI.",
  family: "mcp-resources",
  tier: "extension",
  effect: "read",
  needs: [linkedResources],
  disclosure: { hiddenUntilActive: true },
  result: { readsLinkedResources: true },
  primaryArgument: "uri",
  timeoutMs: 60_000,
  input: z.object({
    uri: z.string().min(1).max(2_000).describe("As the result wrote it"),
    server: z.string().max(100).optional().describe("Alias of the server, when several know the URI"),
  }),
  async execute({ uri, server }, { resources, signal }) {
    const { server: alias, parts } = await resources.read(uri, server ?? null, signal);
    const files: NonNullable<RichResult["files"]> = [];
    const texts = parts.slice(0, maxParts).map((part) => {
      if ("text" in part) return part.text.length > maxTextCharacters ? `${part.text.slice(0, maxTextCharacters)}\n[cut here]` : part.text;
      const mediaType = part.mimeType ?? detectMediaType(part.bytes);
      const file = { name: `${files.length + 1}-resource`, mediaType, bytes: part.bytes };
      files.push(file);
      return `[${file.name}: ${mediaType}, ${part.bytes.byteLength.toLocaleString("en")} bytes]`;
    });
    if (texts.length === 0) texts.push("(the resource is empty)");
    return toolResult({
      text: fenceExternalText(cleanResult(texts.join("\n")), `the resource ${cleanLine(uri, 2_000)} of the MCP server ${alias}`),
      ...(files.length > 0 ? { files } : {}),
    });
  },
});
