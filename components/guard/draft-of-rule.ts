import type { GuardRule, GuardRuleDraft } from "@/contracts/guard";

/** Returns the fields of a saved rule that an update sends. */
export function draftOf({
  id: _id,
  source: _source,
  version: _version,
  createdAt: _made,
  updatedAt: _saved,
  ...draft
}: GuardRule): GuardRuleDraft {
  return draft;
}
