import { z } from "zod";
import { Id } from "./common";

/** A part of a result: its text, or a file that is kept as an artifact. */
export const ContentPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
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
