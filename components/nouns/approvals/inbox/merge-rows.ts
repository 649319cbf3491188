import type { InfiniteData } from "@tanstack/react-query";
import type { InboxRow } from "@/contracts/approvals/approvals";
import { soonestFirst } from "./inbox-lines";

type InboxPage = { items: InboxRow[]; nextCursor: string | null; total?: number | undefined };
export type InboxPages = InfiniteData<InboxPage, string | undefined>;

/**
 * Puts lines that were read again in place of their earlier state. Lines that were asked for and not found have left the list.
 * A new line behind the last page that was read comes with the next page.
 */
export function mergeRows(known: InboxPages, ids: ReadonlySet<string>, { items, total }: Pick<InboxPage, "items" | "total">): InboxPages {
  let left = [...items].sort(soonestFirst);
  const pages = known.pages.map((page, place): InboxPage => {
    const kept = page.items.filter(({ id }) => !ids.has(id));
    // A page reaches up to its last line; the last one of a list that was read whole takes all.
    const end = place === known.pages.length - 1 && page.nextCursor === null ? null : page.items.at(-1);
    const fits = (row: InboxRow) => end === null || (end !== undefined && soonestFirst(row, end) <= 0);
    const added = left.filter(fits);
    left = left.filter((row) => !fits(row));
    return { ...page, items: [...kept, ...added].sort(soonestFirst), total: total ?? page.total };
  });
  return { ...known, pages };
}
