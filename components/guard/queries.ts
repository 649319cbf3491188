import { infiniteQueryOptions, keepPreviousData, queryOptions, experimental_streamedQuery as streamedQuery } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import type { Got } from "@/contracts/endpoint";
import { type GuardRule, type GuardRuleDraft, guardEndpoints } from "@/contracts/guard";
import { type PlannedChange, policyEndpoints, type versionComparisons } from "@/contracts/policy";
import { addPage, nothingSimulated, type SimulationSum, simulationPages } from "./simulation-sum";

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

  /** Built-in detectors, with what each does in this workspace. */
  detectors: () =>
    queryOptions({
      queryKey: [...guardQueries.all(), "detectors"],
      queryFn: ({ signal }) => call(guardEndpoints.listDetectors, {}, { signal }),
    }),

  /** Every rule: they are one ordered list, and putting it into another order takes all of them. */
  rules: () => queryOptions({ queryKey: [...guardQueries.all(), "rules"], queryFn: ({ signal }) => everyRule(signal) }),

  /** The policy file of the replica that answers; null where none is set. */
  policyFile: () =>
    queryOptions({
      queryKey: [...guardQueries.all(), "policy file"],
      queryFn: ({ signal }) => call(policyEndpoints.getFile, {}, { signal }),
      select: ({ file }) => file,
      refetchInterval: 30_000,
    }),

  /** What a version changed, or what going back to it would change. */
  version: (version: number, against: (typeof versionComparisons)[number]) =>
    queryOptions({
      queryKey: [...guardQueries.all(), "version", version, against],
      queryFn: ({ signal }) => call(policyEndpoints.getVersion, { params: { version }, query: { against } }, { signal }),
      staleTime: against === "previous" ? Number.POSITIVE_INFINITY : 0,
    }),

  /** A change of the policy tried on recorded calls, page after page until all were tried or there were enough. */
  simulation: (change: PlannedChange | null) =>
    queryOptions({
      queryKey: [...guardQueries.all(), "simulation", change],
      queryFn: streamedQuery({
        streamFn: ({ signal }) => simulationPages(change, signal),
        reducer: (sum: SimulationSum, page) => addPage(sum, page),
        initialValue: nothingSimulated,
      }),
      enabled: change !== null,
      staleTime: 10_000,
      gcTime: 60_000,
    }),

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
