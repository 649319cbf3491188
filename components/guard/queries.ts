import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import type { Got } from "@/contracts/endpoint";
import { type GuardRule, type GuardRuleDraft, guardEndpoints } from "@/contracts/guard";

const pageSize = 200;
/** Recorded calls that a rule is tried on while it is being written. */
export const previewedCalls = 50;

export const guardQueries = {
  all: () => ["guard"] as const,

  config: () =>
    queryOptions({
      queryKey: [...guardQueries.all(), "config"],
      queryFn: ({ signal }) => call(guardEndpoints.getConfig, {}, { signal }),
    }),

  /** Every rule: they are one ordered list, and putting it into another order takes all of them. */
  rules: () => queryOptions({ queryKey: [...guardQueries.all(), "rules"], queryFn: ({ signal }) => everyRule(signal) }),

  versions: () =>
    infiniteQueryOptions({
      queryKey: [...guardQueries.all(), "versions"],
      queryFn: ({ signal, pageParam }) => call(guardEndpoints.listVersions, { query: { limit: 50, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  /** What a rule being written would do; the last answer stays on the screen until the next one is there. */
  preview: (rule: GuardRuleDraft, id: string | null) =>
    queryOptions({
      queryKey: [...guardQueries.all(), "preview", id, rule],
      queryFn: ({ signal }) => call(guardEndpoints.previewRule, { body: { rule, id, last: previewedCalls } }, { signal }),
      placeholderData: keepPreviousData,
      staleTime: 10_000,
      gcTime: 60_000,
    }),
};

async function everyRule(signal: AbortSignal): Promise<GuardRule[]> {
  const found: GuardRule[] = [];
  let cursor: string | null = null;
  do {
    const page: Got<typeof guardEndpoints.listRules> = await call(
      guardEndpoints.listRules,
      { query: { limit: pageSize, ...(cursor ? { cursor } : {}) } },
      { signal },
    );
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}
