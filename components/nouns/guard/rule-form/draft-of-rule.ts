import type { GuardRule, GuardRuleDraft, ListedRule } from "@/contracts/guard/guard";

/** Returns the fields of a saved rule that an update sends. */
export function draftOf({
  id: _id,
  source: _source,
  version: _version,
  createdAt: _made,
  updatedAt: _saved,
  neverReachedBecauseOf: _before,
  hits30Days: _hits,
  ...draft
}: GuardRule & Partial<ListedRule>): GuardRuleDraft {
  return draft;
}
