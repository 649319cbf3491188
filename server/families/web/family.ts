import { authProfiles } from "@/server/capabilities/auth-profiles/auth-profiles";
import { http } from "@/server/capabilities/call-capabilities";
import { defineFamily } from "../define-family";
import { searchSettingsAnswers } from "./endpoints";
import { webSearchCapability } from "./search/search-web";
import { webSearchCheck } from "./search/web-search-check";
import { urlFetch } from "./tools/url-fetch";
import { webSearch } from "./tools/web-search";

export const webFamily = defineFamily({
  name: "web",
  glossary: {
    fence: "The marks with a random name that enclose text from outside in a result.",
  },
  endpoints: searchSettingsAnswers,
  tools: [webSearch, urlFetch],
  capabilities: [http, webSearchCapability, authProfiles],
  doctor: [webSearchCheck],
});
