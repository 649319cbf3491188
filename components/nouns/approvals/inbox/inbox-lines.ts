import type { ApprovalFilter, InboxGroup, InboxRow } from "@/contracts/approvals/approvals";

/** Place of a call among the listed calls of its reply, from 1. */
export type ReplyPlace = { place: number; count: number };

/** One line of the list: an approval, or the head of a group. */
export type InboxLine =
  | { kind: "row"; key: string; row: InboxRow; isInGroup: boolean; reply: ReplyPlace | null }
  | { kind: "group"; key: string; group: InboxGroup; isOpen: boolean };

/** Returns the key of a group: the filter that its approvals share. */
export function groupKey({ ruleId, tool, kind, shape }: Pick<InboxGroup, "ruleId" | "tool" | "kind" | "shape">): string {
  return JSON.stringify([ruleId, tool, kind, shape]);
}

export function rowGroupKey({ rule, tool, kind, shape }: Pick<InboxRow, "rule" | "tool" | "kind" | "shape">): string {
  return groupKey({ ruleId: rule?.id ?? null, tool: tool.name, kind, shape });
}

/** Narrows a filter to one of its groups. */
export function toGroupFilter(filter: ApprovalFilter, { ruleId, tool, kind, shape }: InboxGroup): ApprovalFilter {
  return { ...filter, ruleId: ruleId ?? "none", tool, kind, shape };
}

/** Merges the server's rows with rows decided here, ordered by expiry. */
export function rowsToShow(rows: readonly InboxRow[], kept: ReadonlyMap<string, InboxRow>): readonly InboxRow[] {
  const here = new Set(rows.map(({ id }) => id));
  const gone = [...kept.values()].filter(({ id }) => !here.has(id));
  return gone.length === 0 ? rows : [...rows, ...gone].sort(soonestFirst);
}

/** The order of the inbox. */
export function soonestFirst(a: InboxRow, b: InboxRow): number {
  return a.expiresAt.localeCompare(b.expiresAt) || a.id.localeCompare(b.id);
}

export function toRowLines(rows: readonly InboxRow[], isInGroup = false): InboxLine[] {
  const replies = Map.groupBy(rows, ({ turnId }) => turnId);
  return rows.map((row) => {
    const calls = replies.get(row.turnId) ?? [];
    const reply = calls.length > 1 ? { place: calls.indexOf(row) + 1, count: calls.length } : null;
    return { kind: "row", key: row.id, row, isInGroup, reply };
  });
}

/** Returns the heads of all groups, with the rows of the open group below its head. */
export function toGroupLines(groups: readonly InboxGroup[], openKey: string | null, rows: readonly InboxRow[]): InboxLine[] {
  return groups.flatMap((group): InboxLine[] => {
    const key = groupKey(group);
    const head: InboxLine = { kind: "group", key, group, isOpen: key === openKey };
    return key === openKey ? [head, ...toRowLines(rows, true)] : [head];
  });
}

/** Returns the approvals among the lines. */
export function rowLines(lines: readonly InboxLine[]): InboxRow[] {
  return lines.flatMap((line) => (line.kind === "row" ? [line.row] : []));
}
