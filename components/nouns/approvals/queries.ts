import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import { type ApprovalFilter, approvalEndpoints, type InboxRow } from "@/contracts/browser/approvals/approvals";
import type { GrantReach } from "@/contracts/guard/grants";

/** Poll interval as a fallback for lost events; the events themselves bring the changed lines. */
const slowPollMs = 120_000;
export const historyPageSize = 50;
export const inboxPageSize = 100;

/** Converts a filter into query parameters. */
export const asQuery = ({ mine, isDecided, ...filter }: ApprovalFilter) => ({
  ...filter,
  ...(mine ? { mine: "true" as const } : {}),
  ...(isDecided ? { isDecided: "true" as const } : {}),
});

export const approvalQueries = {
  /** Prefix of all approval queries, including the number in the navigation (`pending-count-query.ts`). */
  all: () => ["approvals"] as const,

  /** Prefix of all lists of the inbox; the filter follows. */
  inboxes: () => [...approvalQueries.all(), "inbox"] as const,

  /** Lines of the inbox, the next to expire first. */
  inbox: (filter: ApprovalFilter) =>
    infiniteQueryOptions({
      queryKey: [...approvalQueries.inboxes(), filter],
      queryFn: ({ signal, pageParam }) =>
        call(
          approvalEndpoints.inbox,
          { query: { ...asQuery(filter), sort: "expires", limit: inboxPageSize, cursor: pageParam } },
          { signal },
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: slowPollMs,
    }),

  groups: (filter: ApprovalFilter) =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "groups", filter],
      queryFn: ({ signal }) => call(approvalEndpoints.groups, { query: asQuery(filter) }, { signal }),
      refetchInterval: slowPollMs,
    }),

  history: (filter: Omit<ApprovalFilter, "mine">) =>
    infiniteQueryOptions({
      queryKey: [...approvalQueries.all(), "history", filter],
      queryFn: ({ signal, pageParam }) =>
        call(approvalEndpoints.list, { query: { ...asQuery(filter), limit: historyPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  /** Fetched whenever the call is opened, because the file may change while the call is pending. */
  preview: (id: string) =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "preview", id],
      queryFn: ({ signal }) => call(approvalEndpoints.preview, { params: { id } }, { signal }),
      staleTime: 0,
    }),

  /** Grants that can be created with an approval. */
  proposals: (id: string) =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "proposals", id],
      queryFn: ({ signal }) => call(approvalEndpoints.proposals, { params: { id } }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  /** The calls that a pattern for a grant would cover. */
  tried: (id: string, body: { pattern: string; reach?: GrantReach }) =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "tried", id, body],
      queryFn: ({ signal }) => call(approvalEndpoints.tryPattern, { params: { id }, body }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "one", id],
      queryFn: ({ signal }) => call(approvalEndpoints.get, { params: { id } }, { signal }),
    }),
};

/** Reads all rows of a filter, page after page, because a selection consists of ids. */
export function readAllRows(filter: ApprovalFilter, signal: AbortSignal): Promise<InboxRow[]> {
  return everyPage((page) => call(approvalEndpoints.inbox, { query: { ...asQuery(filter), sort: "expires", ...page } }, { signal }));
}
