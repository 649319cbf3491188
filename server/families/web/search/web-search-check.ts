import type { Check } from "@/server/platform/extension-points/doctor-checks";
import { readSearchChain, unavailableReason } from "./search-settings";
import { usable } from "./search-web";

const name = "Web search";
const link = { label: "Open the search settings", path: "/settings#search" };

/** Checks the settings of web_search; sends no query, because queries cost credits. */
export const webSearchCheck: Check = {
  name,
  isOffline: false,
  run: async (workspaceId) => {
    const chain = await readSearchChain(workspaceId);
    if (!chain.enabled) return [{ name, status: "ok", sentence: "Web search is off." }];
    const lost = chain.accesses.filter(({ status }) => status === "key_unreadable").map(({ provider }) => provider.title);
    if (lost.length > 0) {
      const sentence = `The key of ${lost.join(" and ")} cannot be opened, because it was sealed with another key.`;
      return [{ name, status: "failed", sentence, wayOut: "Type the key again in Settings, Search.", link }];
    }
    if (unavailableReason(chain)) {
      return [{ name, status: "warning", sentence: "No search provider is ready.", wayOut: "Set one up in Settings, Search.", link }];
    }
    return [
      {
        name,
        status: "ok",
        sentence: `web_search asks ${usable(chain)
          .map(({ provider }) => provider.title)
          .join(", then ")}.`,
      },
    ];
  },
};
