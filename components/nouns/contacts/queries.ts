import { longestPage } from "@/components/kit/api/longest-page";
import { defineResource } from "@/components/kit/resources/define-resource";
import { contactEndpoints } from "@/contracts/browser/messengers/contacts";

/** People write and become contacts at any time. */
const lookMs = 10_000;

export const contactResource = defineResource({
  key: "contacts",
  noun: "contact",
  endpoints: contactEndpoints,
  query: { limit: longestPage },
  pollMs: () => lookMs,
  toDraft: ({ name, reachableIds, status, notes }) => ({ name, reachableIds, status, notes }),
});
