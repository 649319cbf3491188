import { infiniteQueryOptions, keepPreviousData, queryOptions, experimental_streamedQuery as streamedQuery } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import { type GuardRuleDraft, guardEndpoints } from "@/contracts/browser/guard/guard";
import { type PlannedChange, policyEndpoints, type versionComparisons } from "@/contracts/browser/guard/policy";
import { addPage, nothingSimulated, type SimulationSum, simulationPages } from "./policy/simulation-sum";

/** Number of recorded calls on which an unsaved rule is tried. */
export const previewedCalls = 50;

export const guardQueries = {
  all: () => ["guard"] as const,

  config: () =>
    queryOptions({
      queryKey: [...guardQueries.all(), "config"],
      queryFn: ({ signal }) => call(guardEndpoints.getConfig, {}, { signal }),
    }),

  /** Detectors with their settings in this workspace. */
  detectors: () =>
    queryOptions({
      queryKey: [...guardQueries.all(), "detectors"],
      queryFn: ({ signal }) => call(guardEndpoints.listDetectors, {}, { signal }),
    }),

  /** All rules at once: they form one ordered list, and reordering needs every id. */
  rules: () =>
    queryOptions({
      queryKey: [...guardQueries.all(), "rules"],
      queryFn: ({ signal }) => everyPage((query) => call(guardEndpoints.listRules, { query }, { signal })),
      // The first count of many calls goes on after the answer.
      refetchInterval: ({ state }) => (state.data?.some(({ hits30Days }) => hits30Days === null) ? 2_000 : false),
    }),

  /** The draft of a rule about calls like a recorded one. */
  start: (callId: string) =>
    queryOptions({
      queryKey: [...guardQueries.all(), "start", callId],
      queryFn: ({ signal }) => call(guardEndpoints.startFromCall, { query: { callId } }, { signal }),
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
    }),

  /** The policy file of the answering replica; null without one. */
  policyFile: () =>
    queryOptions({
      queryKey: [...guardQueries.all(), "policy file"],
      queryFn: ({ signal }) => call(policyEndpoints.getFile, {}, { signal }),
      select: ({ file }) => file,
      refetchInterval: 30_000,
    }),

  /** Changes that a version made, or that restoring the version would make. */
  version: (version: number, against: (typeof versionComparisons)[number]) =>
    queryOptions({
      queryKey: [...guardQueries.all(), "version", version, against],
      queryFn: ({ signal }) => call(policyEndpoints.getVersion, { params: { version }, query: { against } }, { signal }),
      staleTime: against === "previous" ? Number.POSITIVE_INFINITY : 0,
    }),

  /** Simulation of a change, page by page until all calls were tried or enough of them. */
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

  /** Preview of an unsaved rule; the last answer stays visible until the next one arrives. */
  preview: (rule: GuardRuleDraft, id: string | null) =>
    queryOptions({
      queryKey: [...guardQueries.all(), "preview", id, rule],
      queryFn: ({ signal }) => call(guardEndpoints.previewRule, { body: { rule, id, last: previewedCalls } }, { signal }),
      placeholderData: keepPreviousData,
      staleTime: 10_000,
      gcTime: 60_000,
    }),
};
