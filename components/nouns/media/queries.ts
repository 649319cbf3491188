import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { mediaEndpoints } from "@/contracts/browser/models/media";

export const mediaQueries = {
  get: () => queryOptions({ queryKey: ["media-settings"], queryFn: ({ signal }) => call(mediaEndpoints.get, {}, { signal }) }),
};
