import type { AuditEvent } from "@/contracts/audit";

/** How often each outcome came, the most frequent first; `isAll` is false when there were more than were counted. */
export type CallCounts = { outcomes: { outcome: string; count: number }[]; total: number; isAll: boolean };

type Page = { items: Pick<AuditEvent, "event">[]; nextCursor: string | null };

/** Beyond this many the number says "more than": counting on would read the audit for a number that nobody needs exactly. */
export const mostCounted = 1_000;

/** Counts the outcomes of calls, page by page. */
export async function countCalls(readPage: (cursor: string | undefined) => Promise<Page>): Promise<CallCounts> {
  const counts = new Map<string, number>();
  let total = 0;
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    for (const { event } of page.items) {
      const outcome = event.split(".")[1] ?? event;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      total += 1;
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor && total < mostCounted);
  const outcomes = [...counts].map(([outcome, count]) => ({ outcome, count })).toSorted((a, b) => b.count - a.count);
  return { outcomes, total, isAll: cursor === undefined };
}
