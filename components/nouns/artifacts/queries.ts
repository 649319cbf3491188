import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type ArtifactFilter, artifactEndpoints } from "@/contracts/browser/turns/artifacts";

export const artifactPageSize = 50;

export const artifactQueries = {
  list: (filter: ArtifactFilter) =>
    infiniteQueryOptions({
      queryKey: ["artifacts", "list", filter],
      queryFn: ({ signal, pageParam }) =>
        call(artifactEndpoints.list, { query: { ...filter, limit: artifactPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
};
