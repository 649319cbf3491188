import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type AuditEvent, type AuditFilter, auditEndpoints } from "@/contracts/audit";
import { timeOfId } from "./time-of-id";

export const auditPageSize = 100;
/** A row's id is made a moment before or after the time that the row carries. */
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

  /** One event by its id, looked for around the time that the id tells; null when it is not there. */
  one: (id: string) =>
    queryOptions({
      queryKey: [...auditQueries.all(), "one", id],
      queryFn: ({ signal }) => findEvent(id, signal),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};

async function findEvent(id: string, signal: AbortSignal): Promise<AuditEvent | null> {
  const time = timeOfId(id);
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
