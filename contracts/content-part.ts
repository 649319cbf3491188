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
  }),
]);
export type ContentPart = z.infer<typeof ContentPart>;
