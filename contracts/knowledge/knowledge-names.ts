import { z } from "zod";

/** One line of text of at most some characters. */
export const lineOf = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `at most ${most} characters`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what the field must not hold
    .regex(/^[^\u0000-\u001f\u007f]*$/, "must not hold line ends or other control characters");
export const KnowledgeName = lineOf(100).min(1, "needs a name");
export const KnowledgePageType = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and hyphens, at most 40, beginning with a letter");
