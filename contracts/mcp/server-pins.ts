import { z } from "zod";

/** The ways in which a server's questions (elicitation, sampling, roots) are answered while a call of an MCP client runs. */
export const questionPlaces = ["client_first", "console_only"] as const;

/** An admin's expectations of a server, and what the server is trusted with. */
export const serverPinSettings = {
  trustHints: z
    .boolean()
    .describe("`readOnlyHint` and the other hints of its tools count as they are; without it a hint only ever makes the guard stricter."),
  allowSampling: z
    .boolean()
    .describe("Its tools may ask the workspace's models while they run (MCP sampling). Each answer costs tokens and is audited."),
  questions: z
    .enum(questionPlaces)
    .describe(
      "Who answers its questions (elicitation, sampling, roots): `client_first`: the MCP client that made the call, when it can, else people and models here; `console_only`: people and models here.",
    ),
  offerContents: z
    .boolean()
    .describe("MCP clients of agents with a tool of this server see its prompts and resources at `/mcp`. Each reading is audited."),
  expectedTools: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(5_000)
    .nullable()
    .describe("Names of all tools, as the server lists them: a missing or an extra tool rejects the server. `null`: any."),
  expectedVersion: z.string().trim().min(1).max(200).nullable().describe("Version that the server has to report; `null`: any."),
  packageDigest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, "a digest is `sha256:` and 64 hexadecimal digits")
    .nullable()
    .describe(
      "SHA-256 of the file that a stdio server runs: the script among its arguments, or else the command. Refused for `npx`, `uvx` and other programs that fetch a package. `null`: any.",
    ),
};

export const serverPinDefaults = {
  trustHints: serverPinSettings.trustHints.default(false),
  allowSampling: serverPinSettings.allowSampling.default(false),
  questions: serverPinSettings.questions.default("client_first"),
  offerContents: serverPinSettings.offerContents.default(false),
  expectedTools: serverPinSettings.expectedTools.default(null),
  expectedVersion: serverPinSettings.expectedVersion.default(null),
  packageDigest: serverPinSettings.packageDigest.default(null),
};

/** Counts of the hints of a server's tools, for the person who decides about trusting them. */
export const HintCounts = z.object({
  tools: z.number().int(),
  readOnly: z.number().int().describe("Tools that would be read-only and run unasked under the default policy."),
  nonDestructive: z.number().int().describe("Tools that say that they change things without destroying any."),
  destructive: z.number().int().describe("Tools that say that they destroy, which always counts."),
});
export type HintCounts = z.infer<typeof HintCounts>;
