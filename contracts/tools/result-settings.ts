import { z } from "zod";
import { Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

/** Bounds and defaults of characters that results may take, in UTF-16 units. */
export const resultChars = { min: 1_000, max: 400_000, default: 8_000 } as const;
export const turnChars = { min: 1_000, max: 2_000_000, default: 32_000 } as const;

const MaxCharsPerResult = z.number().int().min(resultChars.min).max(resultChars.max);
const MaxCharsPerTurn = z.number().int().min(turnChars.min).max(turnChars.max);

export const ResultSettings = z
  .object({
    maxCharsPerResult: MaxCharsPerResult.describe(
      "Characters of one result that the model reads; more is kept as an artifact, which `read_artifact` reads on. A tool's own `resultLimit` comes first.",
    ),
    maxCharsPerTurn: MaxCharsPerTurn.describe("Characters that all results of a turn may take together."),
    maskSecrets: z.boolean().describe("Whether texts that look like secrets are masked in results before anybody reads them."),
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("`null`: nobody has changed the defaults."),
  })
  .meta({ id: "ResultSettings" });
export type ResultSettings = z.infer<typeof ResultSettings>;

export const ResultSettingsPatch = z
  .strictObject({
    maxCharsPerResult: MaxCharsPerResult.optional(),
    maxCharsPerTurn: MaxCharsPerTurn.optional(),
    maskSecrets: z.boolean().optional(),
  })
  .meta({ examples: [{ maxCharsPerResult: 20000, maxCharsPerTurn: 80000 }] });
export type ResultSettingsPatch = z.infer<typeof ResultSettingsPatch>;

export const resultSettingsEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/result-settings",
    summary: "Limits of results, and whether secrets in them are masked",
    permission: "tools:read",
    response: ResultSettings,
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/v1/result-settings",
    summary: "Change the members that are sent",
    headers: ["If-Match"],
    permission: "admin",
    body: ResultSettingsPatch,
    response: ResultSettings,
  }),
};

export const resultSettingsContract = defineContract({
  reference: { name: "Result settings", description: "How results reach the model: their limits, and masked secrets." },
  endpoints: resultSettingsEndpoints,
  audit: {
    "result_settings.updated": "Result settings updated",
  },
});
