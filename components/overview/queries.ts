import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { auditEndpoints } from "@/contracts/audit";
import { countCalls } from "./count-calls";

const dayMs = 24 * 3_600_000;
const pollMs = 30_000;
export const countedPageSize = 200;

export const overviewQueries = {
  /** Outcomes of the calls that ended within the last 24 hours. */
  calls: () =>
    queryOptions({
      queryKey: ["overview", "calls"],
      queryFn: ({ signal }) => {
        const query = { ...callsOfLastDay(), limit: countedPageSize };
        return countCalls((cursor) => call(auditEndpoints.list, { query: { ...query, cursor } }, { signal }));
      },
      refetchInterval: pollMs,
    }),
};

/** The part of the audit that holds them. */
export function callsOfLastDay(): { event: string; from: string } {
  return { event: "call", from: new Date(Date.now() - dayMs).toISOString() };
}
