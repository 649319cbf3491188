import { resultSettingsEndpoints } from "@/contracts/tools/result-settings";
import { answer } from "@/server/endpoints/answer";
import { getResultSettings, updateResultSettings } from "@/server/tools/results/result-settings";

export const resultSettingsAnswers = answer(resultSettingsEndpoints, {
  get: ({ actor }) => getResultSettings(actor),
  update: ({ actor, body, version }) => updateResultSettings(actor, body, version),
});
