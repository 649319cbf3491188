"use client";

import { useCallback, useMemo, useState } from "react";
import type { InboxRow } from "@/contracts/approvals/approvals";
import { rowGroupKey } from "./inbox-lines";

/**
 * Returns the selected approvals by id. Selecting a group takes its current ids, so that approvals which arrive later
 * are never decided unseen.
 */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, InboxRow>>(new Map());

  const toggle = useCallback(
    (row: InboxRow) =>
      setSelected((before) => {
        const next = new Map(before);
        if (!next.delete(row.id)) next.set(row.id, row);
        return next;
      }),
    [],
  );
  const add = useCallback(
    (rows: readonly InboxRow[]) => setSelected((before) => new Map([...before, ...rows.map((row) => [row.id, row] as const)])),
    [],
  );
  const remove = useCallback(
    (isIncluded: (row: InboxRow) => boolean) => setSelected((before) => new Map([...before].filter(([, row]) => !isIncluded(row)))),
    [],
  );
  const clear = useCallback(() => setSelected(new Map()), []);

  /** Number of selected approvals per group. */
  const countOfGroup = useMemo(() => {
    const counts = new Map<string, number>();
    for (const row of selected.values()) counts.set(rowGroupKey(row), (counts.get(rowGroupKey(row)) ?? 0) + 1);
    return counts;
  }, [selected]);

  return { selected, countOfGroup, toggle, add, remove, clear };
}

export type Selection = ReturnType<typeof useSelection>;
