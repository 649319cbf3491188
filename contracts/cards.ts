import { z } from "zod";

/** A card that a tool shows to people, as the member `card` of its structured content. */
export const Card = z.object({
  title: z.string().trim().min(1).max(200),
  body: z.string().max(4_000).default(""),
  fields: z
    .array(z.object({ label: z.string().trim().min(1).max(100), value: z.string().max(1_000) }))
    .max(20)
    .default([]),
  links: z
    .array(
      z.object({
        label: z.string().trim().min(1).max(100),
        url: z.url({ protocol: /^https?$/, hostname: /./, error: "must be an http or https address" }).max(2_000),
      }),
    )
    .max(5)
    .default([]),
});
export type Card = z.infer<typeof Card>;
