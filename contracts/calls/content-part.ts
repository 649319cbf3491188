import { z } from "zod";
import { Id, JsonObject } from "../common";

/** A block of an MCP server's result as it sent it: a stretch of the text, which a file, resource or link may stand for. */
export const ResultBlock = z.object({
  start: z.number().int().describe("Where the block begins in the text."),
  end: z.number().int(),
  part: z.number().int().optional().describe("Place in `contentParts` of the file, resource or link that the block is; absent for text."),
  annotations: JsonObject.optional().describe("Audience, priority and time of change, as the server sent them."),
  meta: JsonObject.optional().describe("`_meta` of the block."),
});
export type ResultBlock = z.infer<typeof ResultBlock>;

/** A part of a result: its text, or a file that is kept as an artifact. */
export const ContentPart = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    blocks: z.array(ResultBlock).optional().describe("The blocks of an MCP server's result, in its order."),
    meta: JsonObject.optional().describe("`_meta` of an MCP server's result, for programs; no model reads it."),
  }),
  z.object({
    type: z.literal("artifact"),
    artifactId: Id,
    mediaType: z.string(),
    bytes: z.number().int(),
    image: z
      .object({ width: z.number().int(), height: z.number().int(), tokens: z.number().int() })
      .optional()
      .describe("Size of an image in pixels, and what it would cost a model in tokens (an estimate)."),
    uri: z.string().optional().describe("Address of an embedded resource of an MCP server, whose bytes the artifact holds."),
    isStructuredContent: z
      .literal(true)
      .optional()
      .describe("The artifact holds the structured content, which is too large for the result."),
  }),
  z
    .object({ type: z.literal("resource"), uri: z.string(), mediaType: z.string().nullable(), text: z.string() })
    .describe("A text that an MCP server embedded in its result. `content` has it too, below a line with its address."),
  z
    .object({
      type: z.literal("resource_link"),
      uri: z.string(),
      mediaType: z.string().nullable(),
      name: z.string(),
      description: z.string(),
    })
    .describe("A resource of an MCP server that its result links to. `content` names it, too."),
]);
export type ContentPart = z.infer<typeof ContentPart>;
