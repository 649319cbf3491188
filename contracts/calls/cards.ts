import { z } from "zod";

/** A card that a tool shows to people, as the member `card` of its structured content. */
export const Card = z.object({
  title: z.string().trim().min(1).max(200).describe("First line of the card"),
  body: z.string().max(4_000).default("").describe("Its text"),
  fields: z
    .array(z.object({ label: z.string().trim().min(1).max(100), value: z.string().max(1_000) }))
    .max(20)
    .default([])
    .describe("Labelled values"),
  links: z
    .array(
      z.object({
        label: z.string().trim().min(1).max(100),
        url: z.url({ protocol: /^https?$/, hostname: /./, error: "must be an http or https address" }).max(2_000),
      }),
    )
    .max(5)
    .default([])
    .describe("Buttons that open an address"),
});
export type Card = z.infer<typeof Card>;
