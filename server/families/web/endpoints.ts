import { searchSettingsEndpoints } from "@/contracts/tools/search-settings";
import { answer } from "@/server/endpoints/answer";
import { getSearchSettings, updateSearchSettings } from "./search/search-settings";
import { trySearch } from "./search/try-search";

export const searchSettingsAnswers = answer(searchSettingsEndpoints, {
  get: ({ actor }) => getSearchSettings(actor),
  update: ({ actor, body, version }) => updateSearchSettings(actor, body, version),
  try: ({ actor, body, signal }) => trySearch(actor, body, signal),
});
