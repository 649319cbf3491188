import { z } from "zod";

/** Base address of a service that requests go to. */
export const baseAddress = (more = "") =>
  z
    .url({ protocol: /^https?$/, error: "write an http or https address" })
    .max(2_000)
    .refine((url) => {
      const parsed = URL.parse(url);
      return parsed !== null && !parsed.username && !parsed.password && !parsed.search && !parsed.hash;
    }, `write an address without a user name, a query or a fragment${more}`);

/** Change of a provider's API key. */
export const keyChange = (maxCharacters: number) =>
  z
    .string()
    .min(1, "needs a value")
    .max(maxCharacters)
    .regex(/^[\x21-\x7e]+$/, "a key has letters, digits and signs, without spaces")
    .nullable()
    .optional()
    .describe("Stored sealed. Absent: the stored key stays, unless the address leads to another origin; `null`: none.");

/** Changes of some or all providers, each named once at the most. */
export const providerChanges = <Draft extends z.ZodType<{ id: string }>>(draft: Draft, ids: readonly string[]) =>
  z
    .array(draft)
    .refine((drafts) => new Set(drafts.map(({ id }) => id)).size === drafts.length, `name a provider once at the most: ${ids.join(", ")}`)
    .optional()
    .describe("The providers to change; members that are left out stay. All of them together set the order; a part keeps it.");
