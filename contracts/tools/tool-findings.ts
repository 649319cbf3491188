import { z } from "zod";
import { severities } from "../decisions/decision";

/** A sign of poisoning in the definition of a tool. */
export const ToolFinding = z
  .object({
    check: z.string().describe("`hidden_characters`, `instructions`, `other_tool` …"),
    severity: z.enum(severities),
    place: z.string().describe("Where: `description`, `schema/properties/city/description` …"),
    message: z.string(),
    excerpt: z.string().describe("The words that were recognised; hidden characters are written as `U+200B`."),
  })
  .meta({ id: "ToolFinding" });
export type ToolFinding = z.infer<typeof ToolFinding>;
