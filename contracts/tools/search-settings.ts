import { z } from "zod";
import { Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { baseAddress, keyChange, providerChanges } from "../provider-settings";

export const searchProviderIds = ["serper", "tavily", "brave", "duckduckgo", "searxng"] as const;
export type SearchProviderId = (typeof searchProviderIds)[number];
const ProviderId = z.enum(searchProviderIds);

export const searchFreshness = ["day", "week", "month", "year"] as const;
export type SearchFreshness = (typeof searchFreshness)[number];

/** The most results of one search, for every provider. */
export const maxSearchResults = 20;

export const searchProviderStatuses = ["ready", "off", "needs_key", "needs_address", "key_unreadable"] as const;
export type SearchProviderStatus = (typeof searchProviderStatuses)[number];

export const SearchProvider = z
  .object({
    id: ProviderId,
    title: z.string(),
    enabled: z.boolean(),
    needs: z.enum(["key", "address", "nothing"]).describe("The setting without which the provider cannot answer."),
    address: z.string().nullable().describe("Base address of requests; `null`: the provider's own."),
    defaultAddress: z.string().nullable(),
    hasKey: z.boolean().describe("An API key is stored; it is sealed and never shown."),
    status: z.enum(searchProviderStatuses),
  })
  .meta({ id: "SearchProvider" });
export type SearchProvider = z.infer<typeof SearchProvider>;

export const SearchSettings = z
  .object({
    enabled: z.boolean().describe("Whether `web_search` can be called."),
    fallback: z.boolean().describe("Whether the next provider is asked when one fails."),
    providers: z.array(SearchProvider).describe("In the order in which they are asked."),
    unavailableReason: z.string().nullable().describe("Why `web_search` cannot be called; `null`: it can."),
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("`null`: nobody has changed the defaults."),
  })
  .meta({ id: "SearchSettings" });
export type SearchSettings = z.infer<typeof SearchSettings>;

export const SearchProviderDraft = z.strictObject({
  id: ProviderId,
  enabled: z.boolean().optional(),
  address: baseAddress()
    .nullable()
    .optional()
    .describe("`null`: the provider's own. A private host must be among the guard's allowed hosts."),
  key: keyChange(500),
});
export type SearchProviderDraft = z.infer<typeof SearchProviderDraft>;

export const SearchSettingsPatch = z
  .strictObject({
    enabled: z.boolean().optional(),
    fallback: z.boolean().optional(),
    providers: providerChanges(SearchProviderDraft, searchProviderIds),
  })
  .meta({ examples: [{ enabled: true, fallback: true }, { providers: [{ id: "brave", enabled: true }] }] });
export type SearchSettingsPatch = z.infer<typeof SearchSettingsPatch>;

export const SearchTrial = z
  .strictObject({
    query: z.string().trim().min(1, "type a query").max(400),
    provider: ProviderId.optional().describe("Asks this provider alone, even when it is off. Absent: as `web_search` does."),
  })
  .meta({ examples: [{ query: "postgres 18 release notes" }] });
export type SearchTrial = z.infer<typeof SearchTrial>;

const Hit = z.object({ title: z.string(), url: z.string(), snippet: z.string(), date: z.string().nullable() });

export const SearchTrialResult = z
  .object({
    provider: ProviderId.nullable().describe("The provider that answered; `null`: none did."),
    results: z.array(Hit).describe("Texts from outside; show them as such."),
    failures: z.array(z.object({ provider: ProviderId, reason: z.string() })),
    durationMs: z.number().int(),
  })
  .meta({ id: "SearchTrialResult" });
export type SearchTrialResult = z.infer<typeof SearchTrialResult>;

export const searchSettingsEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/search-settings",
    summary: "Providers of web_search in their order, without their keys",
    permission: "tools:read",
    response: SearchSettings,
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/v1/search-settings",
    summary: "Change the members that are sent",
    headers: ["If-Match"],
    permission: "tools:write",
    body: SearchSettingsPatch,
    response: SearchSettings,
  }),
  try: endpoint({
    method: "POST",
    path: "/api/v1/search-settings/try",
    summary: "Send a query with the saved settings, past the cache",
    permission: "tools:write",
    body: SearchTrial,
    response: SearchTrialResult,
  }),
};

export const searchSettingsContract = defineContract({
  reference: { name: "Search settings", description: "The providers that web_search asks, and their keys." },
  glossary: {
    "fallback (of searches)": "The request to the next search provider when one fails.",
    "search provider": "A service that answers `web_search`: Serper, Tavily, Brave, DuckDuckGo or SearXNG.",
  },
  endpoints: searchSettingsEndpoints,
  audit: {
    "search_settings.updated": "Search settings updated",
  },
});
