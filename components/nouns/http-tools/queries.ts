import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import { authProfileEndpoints } from "@/contracts/browser/tools/auth-profiles";
import { httpToolEndpoints } from "@/contracts/browser/tools/http-tools";

export const httpToolQueries = {
  /** The request of one HTTP tool. */
  one: (name: string) =>
    queryOptions({
      queryKey: ["http tool", name],
      queryFn: ({ signal }) => call(httpToolEndpoints.get, { params: { id: name } }, { signal }),
      retry: false,
    }),
};

export const authProfileQueries = {
  /** All auth profiles, because a tool's form offers them in one list. */
  list: () =>
    queryOptions({
      queryKey: ["auth profiles"],
      queryFn: ({ signal }) => everyPage((query) => call(authProfileEndpoints.list, { query }, { signal })),
    }),
};
