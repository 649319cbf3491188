import { z } from "zod";

/** `runs`: its code runs. `configures`: it says what a program does. `named`: one of the others names it. */
export const callFileRoles = ["runs", "configures", "named"] as const;
export type CallFileRole = (typeof callFileRoles)[number];

/** The files for whose contents an approval holds. */
export const CallContents = z.object({
  files: z
    .array(z.object({ path: z.string(), as: z.enum(callFileRoles) }))
    .describe("Files that the call runs or is configured by: when one of them changes, the approval does not hold any more."),
  notFixed: z
    .array(z.string())
    .describe("One sentence for each part that the approval cannot hold to, such as a folder that is too large."),
});
export type CallContents = z.infer<typeof CallContents>;

/** The contents as they are kept, with the SHA-256 of each file. */
export type KeptContents = { files: (CallContents["files"][number] & { sha256: string })[]; notFixed: string[] };
