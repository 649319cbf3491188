import { shellSettingsEndpoints } from "@/contracts/tools/shell";
import { answer } from "@/server/endpoints/answer";
import { getShellSettings, updateShellSettings } from "./shell-settings";

export const shellSettingsAnswers = answer(shellSettingsEndpoints, {
  get: ({ actor }) => getShellSettings(actor),
  update: ({ actor, body, version }) => updateShellSettings(actor, body, version),
});
