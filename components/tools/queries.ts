import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type Tool, toolEndpoints } from "@/contracts/tools";

const pageSize = 200;

export const toolQueries = {
  all: () => ["tools"] as const,

  /** Every tool of the workspace. The page filters them itself: answers are instant, and sums cover all of a section. */
  list: () => queryOptions({ queryKey: [...toolQueries.all(), "list"], queryFn: ({ signal }) => everyTool(signal) }),
};

async function everyTool(signal: AbortSignal): Promise<Tool[]> {
  const found: Tool[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: Tool[]; nextCursor: string | null } = await call(
      toolEndpoints.list,
      { query: { limit: pageSize, ...(cursor ? { cursor } : {}) } },
      { signal },
    );
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}
