import type { InboxGroup, InboxRow } from "@/contracts/approvals/approvals";
import type { OutboxState } from "../outbox/outbox";
import { groupKey, rowGroupKey } from "./inbox-lines";

/**
 * Returns the rows decided here that keep their place in the list: those decided on their own until they are hidden, and
 * those decided together until their batch is done.
 */
export function findKeptRows({ batches, outcomes }: OutboxState, hidden: ReadonlySet<string>): ReadonlyMap<string, InboxRow> {
  const alone = [...outcomes.values()].flatMap(({ decision: { row }, state }) => (row && state !== "refused" ? [row] : []));
  const together = batches.flatMap(({ rows, state }) => (state === "done" ? [] : rows));
  return new Map([...alone, ...together].filter(({ id }) => !hidden.has(id)).map((row) => [row.id, row]));
}

/**
 * Returns the groups to show: those shown before in their place, new ones behind them, so that no group moves under a
 * finger. While decisions are being sent the counts stay, too. A group leaves once it has no pending and no kept row.
 * Returns `shown` itself when nothing changed.
 */
export function holdGroups(
  shown: readonly InboxGroup[],
  fresh: readonly InboxGroup[],
  kept: ReadonlyMap<string, InboxRow>,
  isSending: boolean,
): readonly InboxGroup[] {
  const freshOf = new Map(fresh.map((group) => [groupKey(group), group]));
  const keptKeys = new Set([...kept.values()].map(rowGroupKey));
  const known = shown.flatMap((group) => {
    const key = groupKey(group);
    const now = freshOf.get(key);
    freshOf.delete(key);
    if (isSending) return [group];
    if (now) return [now];
    return keptKeys.has(key) ? [group.count === 0 ? group : { ...group, count: 0 }] : [];
  });
  const groups = [...known, ...freshOf.values()];
  const isSame = groups.length === shown.length && groups.every((group, place) => group === shown[place]);
  return isSame ? shown : groups;
}
