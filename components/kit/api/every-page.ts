import { maxPageSize } from "./max-page-size";

type Page<Item> = { items: Item[]; nextCursor: string | null };

/** Reads the items of all pages, for views that filter and count the whole list in the browser. */
export async function everyPage<Item>(read: (query: { limit: number; cursor?: string }) => Promise<Page<Item>>): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await read({ limit: maxPageSize, ...(cursor ? { cursor } : {}) });
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}
