import { z } from "zod";
import { cleanLine, storable } from "@/server/mcp/connect/clean-text";
import { detectMediaType } from "@/server/mcp/connect/detect-media-type";
import { defineTool, type RichResult, toolResult } from "@/server/tools/define-tool";
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
  hiddenUntilActive: true,
  readsLinkedResources: true,
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
    return toolResult({ text: fenced(alias, uri, storable(texts.join("\n"))), ...(files.length > 0 ? { files } : {}) });
  },
});

/** Marks the text as a server's own, so that a model does not take it for words of the user or of Handrail. */
function fenced(alias: string, uri: string, text: string): string {
  const inside = text.replace(/<(\/?)resource\b/gi, "<$1 resource");
  return `<resource server="${alias}" uri="${cleanLine(uri, 2_000).replaceAll('"', "%22")}">\n${inside}\n</resource>`;
}
