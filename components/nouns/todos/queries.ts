import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type TodoItem, todoEndpoints } from "@/contracts/browser/conversations/todos";

export const todoPageSize = 50;
/** Agents add and complete to-dos, so the page looks for itself. */
const lookMs = 10_000;

export const todoQueries = {
  all: () => ["todos"] as const,

  list: (status: TodoItem["status"]) =>
    infiniteQueryOptions({
      queryKey: [...todoQueries.all(), "list", status],
      queryFn: ({ signal, pageParam }) =>
        call(todoEndpoints.list, { query: { status, limit: todoPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? lookMs : false),
    }),

  recurring: () =>
    queryOptions({
      queryKey: [...todoQueries.all(), "recurring"],
      queryFn: ({ signal }) => call(todoEndpoints.listRecurring, {}, { signal }),
      refetchInterval: lookMs,
    }),
};
