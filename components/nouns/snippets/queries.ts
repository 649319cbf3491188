import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { snippetEndpoints } from "@/contracts/browser/snippets";

export const snippetQueries = {
  list: () => queryOptions({ queryKey: ["snippets", "list"], queryFn: ({ signal }) => call(snippetEndpoints.list, {}, { signal }) }),
};
