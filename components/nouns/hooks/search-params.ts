import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { isId, presentOnly } from "@/components/kit/api/address-parts";
import { hookOutcomes } from "@/contracts/browser/hooks/hooks";
import type { HookRunFilter } from "@/contracts/hooks/hooks";

export const hookTabs = ["hooks", "runs"] as const;

/** Search parameters of the page, read on the server and in the browser. */
export const hookSearch = {
  tab: parseAsStringLiteral(hookTabs).withDefault("hooks"),
  /** The hook whose runs are listed. */
  of: parseAsString,
  outcome: parseAsStringLiteral(hookOutcomes),
};

/** Returns the filter of an address; invalid parts are left out. */
export function toRunFilter({ of, outcome }: { of: string | null; outcome: (typeof hookOutcomes)[number] | null }): HookRunFilter {
  return presentOnly<HookRunFilter>({ hookId: of && isId(of) ? of : null, outcome });
}
