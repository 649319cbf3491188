import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { nativeToolOptionsEndpoints } from "@/contracts/browser/tools/native-tool-options";

export const nativeToolQueries = {
  options: () =>
    queryOptions({ queryKey: ["native-tool-options"], queryFn: ({ signal }) => call(nativeToolOptionsEndpoints.get, {}, { signal }) }),
};
