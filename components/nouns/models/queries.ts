import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { defineResource } from "@/components/kit/resources/define-resource";
import { modelEndpoints } from "@/contracts/browser/models/models";

export const providerResource = defineResource({
  key: "model-providers",
  noun: "provider",
  endpoints: modelEndpoints,
  toDraft: ({ name, kind, baseUrl, models, enabled }) => ({ name, kind, baseUrl, models, enabled }),
});

export const modelQueries = {
  local: () =>
    queryOptions({
      queryKey: [...providerResource.all(), "local"],
      queryFn: ({ signal }) => call(modelEndpoints.listLocal, {}, { signal }),
      staleTime: 30_000,
    }),
};
