import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type AuditEvent, type AuditFilter, auditEndpoints } from "@/contracts/browser/audit/audit";
import { timeFromId } from "./time-from-id";

export const auditPageSize = 100;
/** Tolerance between the time in a row's id and the row's `at`. */
const searchedMs = 60_000;

export const auditQueries = {
  all: () => ["audit"] as const,

  list: (filter: AuditFilter) =>
    infiniteQueryOptions({
      queryKey: [...auditQueries.all(), "list", filter],
      queryFn: ({ signal, pageParam }) =>
        call(auditEndpoints.list, { query: { ...filter, limit: auditPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  /** Finds one event by its id, searching around the time in the id; null when there is none. */
  one: (id: string) =>
    queryOptions({
      queryKey: [...auditQueries.all(), "one", id],
      queryFn: ({ signal }) => findEvent(id, signal),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};

async function findEvent(id: string, signal: AbortSignal): Promise<AuditEvent | null> {
  const time = timeFromId(id);
  if (time === null) return null;
  const around = { from: new Date(time - searchedMs).toISOString(), to: new Date(time + searchedMs).toISOString() };
  let cursor: string | undefined;
  do {
    const page: { items: AuditEvent[]; nextCursor: string | null } = await call(
      auditEndpoints.list,
      { query: { ...around, limit: 200, cursor } },
      { signal },
    );
    const found = page.items.find((event) => event.id === id);
    if (found) return found;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return null;
}
