import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { HookRunFilter, hookOutcomes } from "@/contracts/hooks";

export const hookTabs = ["hooks", "runs"] as const;

/** What the address of the page may say; read by the server page and the browser alike. */
export const hookSearch = {
  tab: parseAsStringLiteral(hookTabs).withDefault("hooks"),
  /** A hook's id, or `new`. */
  hook: parseAsString,
  /** The hook whose runs are listed. */
  of: parseAsString,
  outcome: parseAsStringLiteral(hookOutcomes),
};

/** The filter that an address stands for; parts that cannot be one are left out. */
export function runFilterOf({ of, outcome }: { of: string | null; outcome: (typeof hookOutcomes)[number] | null }): HookRunFilter {
  const byHook = HookRunFilter.safeParse({ hookId: of ?? undefined });
  return { ...(byHook.success && of ? { hookId: of } : {}), ...(outcome ? { outcome } : {}) };
}
